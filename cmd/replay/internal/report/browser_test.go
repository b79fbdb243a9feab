package report_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"tracereplay/analysis"
	"tracereplay/cmd/replay/internal/report"
	"tracereplay/internal/reporttest"
)

// A real browser opens a page full of hostile names: nothing runs, and nothing
// but the page itself is asked for. Skipped where there is no browser.
func TestBrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium on this machine")
	}
	dir := t.TempDir()
	if err := report.Write(dir, analysis.New(reporttest.HostileInputs())); err != nil {
		t.Fatal(err)
	}
	file, netLog := filepath.Join(dir, "report.html"), filepath.Join(dir, "net.json")
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions", "--user-data-dir="+t.TempDir(),
		"--log-net-log="+netLog, "--virtual-time-budget=3000", "--dump-dom", "file://"+file)
	dom, err := cmd.Output()
	if err != nil {
		t.Skipf("the browser does not start here: %v", err)
	}
	if !strings.Contains(string(dom), "How far to trust this page") {
		t.Fatal("the page did not load")
	}
	if title := regexp.MustCompile(`<title>([^<]*)`).FindStringSubmatch(string(dom)); title == nil || strings.HasPrefix(title[1], "pwned") {
		t.Errorf("a script ran: %v", title)
	}
	for _, bad := range []string{"<script", "<img", "onload=\"", "onerror=\""} {
		if strings.Contains(strings.ToLower(string(dom)), bad) {
			t.Errorf("the browser sees %s", bad)
		}
	}
	for _, url := range requests(t, netLog) {
		if url != "file://"+file {
			t.Errorf("the page asked for %s", url)
		}
	}
}

// requests are the addresses that were asked for, from a net log of Chromium's.
func requests(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Logf("no net log: %v", err)
		return nil
	}
	var log struct {
		Events []struct {
			Params struct {
				URL string `json:"url"`
			} `json:"params"`
		} `json:"events"`
	}
	if err := json.Unmarshal(text, &log); err != nil {
		t.Logf("net log: %v", err)
		return nil
	}
	var urls []string
	for _, e := range log.Events {
		if u := e.Params.URL; u != "" && !strings.HasPrefix(u, "chrome") && !strings.Contains(u, "google") {
			urls = append(urls, u)
		}
	}
	return urls
}
