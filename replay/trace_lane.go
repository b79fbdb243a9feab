package replay

import (
	"context"

	"github.com/apache/arrow/go/v17/arrow"

	"tracereplay/internal/duck"
	"tracereplay/internal/table"
)

// lane loads tables in a goroutine and a session of its own. It keeps to one
// transaction until it is told to commit: row groups that are full go to the file
// at once, and nothing has to be written twice.
type lane struct {
	queue     chan load
	committed chan struct{} // an answer to each load without a table
	done      chan struct{}

	sink *sink // that hears of errors
	db   *duck.DB
	main *duck.DB // if set, db is a further session of it, and opened when it is wanted
	inTx bool
}

// load is what a lane loads into a table, or, without one, the wish that it
// commits.
type load struct {
	spec *table.Spec
	recs []arrow.Record

	andCommit bool // what was loaded since the last commit, and this
}

func newLane(s *sink, db, main *duck.DB) *lane {
	l := &lane{queue: make(chan load, 1), committed: make(chan struct{}), done: make(chan struct{}), sink: s, db: db, main: main}
	go l.run()
	return l
}

func (l *lane) run() {
	defer close(l.done)
	for it := range l.queue {
		if it.spec == nil {
			l.tell(l.commit())
			l.committed <- struct{}{}
			continue
		}
		if l.sink.failure() == nil {
			l.tell(l.load(it))
		}
		release(it.recs)
	}
}

func (l *lane) tell(err error) {
	if err != nil {
		l.sink.fail(err)
	}
}

func (l *lane) load(it load) error {
	if err := l.begin(); err != nil {
		return err
	}
	if err := l.db.Load(context.Background(), it.spec, it.recs...); err != nil || !it.andCommit {
		return err
	}
	return l.commit()
}

func (l *lane) begin() (err error) {
	ctx := context.Background()
	if l.inTx {
		return nil
	}
	if l.db == nil {
		if l.db, err = l.main.Session(ctx); err != nil {
			return err
		}
	}
	if err := l.db.Exec(ctx, "BEGIN TRANSACTION"); err != nil {
		return err
	}
	l.inTx = true
	return nil
}

func (l *lane) commit() error {
	if !l.inTx {
		return nil
	}
	l.inTx = false
	end := "COMMIT"
	if l.sink.failure() != nil {
		end = "ROLLBACK"
	}
	return l.db.Exec(context.Background(), end)
}

// close ends the lane; what was not committed is lost.
func (l *lane) close() error {
	close(l.queue)
	<-l.done
	if l.main == nil || l.db == nil {
		return nil
	}
	return l.db.Close()
}
