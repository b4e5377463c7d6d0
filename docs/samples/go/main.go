// WEBHOOK_SECRET=whsec_… PORT=4000 go run .
package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type event struct{ ID, Type string }

var seen sync.Map // in production, a table of event IDs

func main() {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /hooks", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		var received event
		if err != nil || webhook.Verify(body, r.Header) != nil || json.Unmarshal(body, &received) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusNoContent)
		if _, isDuplicate := seen.LoadOrStore(received.ID, true); !isDuplicate {
			go handle(received)
		}
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "4000"), nil))
}

// handle runs in a goroutine, so slow work cannot cause a timeout.
func handle(received event) {
	fmt.Println(received.Type, received.ID)
}
