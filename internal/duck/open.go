package duck

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	duckdb "github.com/marcboeker/go-duckdb"
)

// catalog is the name under which a database file is attached.
const catalog = "trace"

// Memory is the path of a database without a file.
const Memory = ""

// Options say how a database is opened. The zero value works.
type Options struct {
	ReadOnly    bool   // the file must exist and is not changed
	Threads     int    // 0 = as many as there are cores
	MemoryLimit string // as DuckDB writes it, "512MiB"; "" = its default, 80 % of the machine
	TempDir     string // where queries larger than memory spill; "" = beside the file, or the system's place if it is read only
	BlockSize   int    // of a file that is made; 0 = DuckDB's default, 256 KiB
	Unsealed    bool   // leave external access open until Seal is called
	Unlocked    bool   // turn external access off, but let SetThreads and SQL change settings

	isTwin bool
}

// DB is an open database: one session, in which temporary tables and an open
// transaction are seen by every call. Calls are serialised by the driver.
type DB struct {
	pool *sql.DB
	conn *sql.Conn
	path string
	opt  Options

	isFurther bool // made by Session

	cores     *threads // of the database
	binding   sync.Mutex
	variables map[string]string // of the session, see bind
}

// Open opens the database file at path, making it if need be, or a database
// in memory when path is Memory.
func Open(ctx context.Context, path string, opt Options) (*DB, error) {
	connector, err := duckdb.NewConnector(opt.settings(), nil)
	if err != nil {
		return nil, fmt.Errorf("opening duckdb: %w", err)
	}
	pool := sql.OpenDB(connector)
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("opening duckdb: %w", err), pool.Close())
	}
	db := &DB{pool: pool, conn: conn, path: path, opt: opt, cores: newThreads(opt.Threads), variables: map[string]string{}}
	if err := db.setUp(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("opening %s: %w", db.name(), err), db.closeAll())
	}
	return db, nil
}

// settings are those options that a database begins with, as the driver takes
// them: threads that were started and are not wanted cost 5 ms to end.
func (o Options) settings() string {
	if o.Threads == 0 {
		return ""
	}
	return fmt.Sprintf("?threads=%d", o.Threads)
}

// setUp applies the other options and attaches the file.
func (db *DB) setUp(ctx context.Context) error {
	steps := []string{
		"SET autoinstall_known_extensions = false",
		"SET autoload_known_extensions = false",
		"SET allow_persistent_secrets = false", // which stand in files of the user
		"SET preserve_insertion_order = true",
		"SET temp_directory = " + quoteText(db.tempDir()),
	}
	if db.opt.MemoryLimit != "" {
		steps = append(steps, "SET memory_limit = "+quoteText(db.opt.MemoryLimit))
	}
	if db.opt.BlockSize > 0 {
		// The one checkpoint of a file that is made is Close's. One in between would
		// write the tails of all tables twice, and leave what it wrote first as holes:
		// 1.7 of 6.2 MiB in the trace of 30,000 tasks.
		steps = append(steps, "SET wal_autocheckpoint = '1TiB'")
	}
	if db.path != Memory {
		steps = append(steps, db.attach(), "USE "+catalog)
	}
	for _, s := range steps {
		if err := db.Exec(ctx, s); err != nil {
			return err
		}
	}
	switch {
	case db.opt.Unsealed:
		return nil
	case db.opt.Unlocked:
		return db.Exec(ctx, noExternal)
	}
	return db.Seal(ctx)
}

// noExternal cannot be taken back while a database is open.
const noExternal = "SET enable_external_access = false"

// SetMemoryLimit changes what queries may hold in memory, under the same rule.
func (db *DB) SetMemoryLimit(ctx context.Context, limit string) error {
	return db.Exec(ctx, "SET memory_limit = "+quoteText(limit))
}

func (db *DB) attach() string {
	s := "ATTACH " + quoteText(db.path) + " AS " + catalog
	switch {
	case db.opt.ReadOnly:
		s += " (READ_ONLY)"
	case db.opt.BlockSize > 0:
		s += fmt.Sprintf(" (BLOCK_SIZE %d)", db.opt.BlockSize)
	}
	return s
}

// tempDir is where this process, and no other, spills.
func (db *DB) tempDir() string {
	name := fmt.Sprintf("replay-spill-%d", os.Getpid())
	if db.opt.isTwin {
		name += fmt.Sprintf("-%p", db)
	}
	switch {
	case db.opt.TempDir != "":
		return filepath.Join(db.opt.TempDir, name)
	case db.path == Memory, db.opt.ReadOnly:
		return filepath.Join(os.TempDir(), name)
	default:
		return db.path + ".spill"
	}
}

// Seal turns external access off, for good, and locks the settings.
func (db *DB) Seal(ctx context.Context) error {
	if err := db.Exec(ctx, noExternal); err != nil {
		return err
	}
	return db.Exec(ctx, "SET lock_configuration = true")
}

// Session is a further session of an open database, for queries that run at the
// same time: attached databases are shared, temporary tables and transactions
// are not. Its Close ends the session alone.
func (db *DB) Session(ctx context.Context) (*DB, error) {
	conn, err := db.pool.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("a further session of %s: %w", db.name(), err)
	}
	s := &DB{pool: db.pool, conn: conn, path: db.path, opt: db.opt, isFurther: true, cores: db.cores, variables: map[string]string{}}
	if db.path != Memory {
		if err := s.Exec(ctx, "USE "+catalog); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// CanTwin tells whether Twin can open the database.
func (db *DB) CanTwin() bool { return db.path != Memory && db.opt.ReadOnly }

// Twin opens a file that is only read once more, as an instance of its own, whose
// queries take one core: those of both run at the same time, and neither sees
// the databases that the other has attached.
func (db *DB) Twin(ctx context.Context) (*DB, error) {
	return Open(ctx, db.path, Options{ReadOnly: true, Threads: 1, MemoryLimit: db.opt.MemoryLimit, TempDir: db.opt.TempDir, isTwin: true})
}

// Path is the database's file, Memory if it has none.
func (db *DB) Path() string { return db.path }

func (db *DB) name() string {
	if db.path == Memory {
		return "a database in memory"
	}
	return db.path
}

// Checkpoint writes everything that was committed into the file itself.
func (db *DB) Checkpoint(ctx context.Context) error {
	if db.path == Memory || db.opt.ReadOnly {
		return nil
	}
	if err := db.Exec(ctx, "CHECKPOINT "+catalog); err != nil {
		return fmt.Errorf("checkpoint of %s: %w", db.path, err)
	}
	return nil
}

// Close ends the session. A file is whole afterwards: what was committed has
// been moved into it from the log beside it.
func (db *DB) Close() error {
	if db.isFurther {
		return db.closeAll()
	}
	err := db.Checkpoint(context.Background())
	return errors.Join(err, db.closeAll())
}

// Discard ends the session without a checkpoint, for a file that nobody wants.
func (db *DB) Discard() error { return db.closeAll() }

// closeAll ends the session, and the database with its first.
func (db *DB) closeAll() error {
	if db.isFurther {
		return db.conn.Close()
	}
	return errors.Join(db.conn.Close(), db.pool.Close())
}
