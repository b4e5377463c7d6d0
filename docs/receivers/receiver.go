// WEBHOOK_SECRET=whsec_… PORT=4000 go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	tolerance   = 5 * time.Minute
	largestBody = 1 << 20
)

// keyOf decodes `whsec_` and base64; any other secret is used as UTF-8 bytes.
func keyOf(secret string) ([]byte, error) {
	if secret == "" {
		return nil, fmt.Errorf("set WEBHOOK_SECRET")
	}
	if encoded, found := strings.CutPrefix(secret, "whsec_"); found {
		return base64.StdEncoding.DecodeString(encoded)
	}
	return []byte(secret), nil
}

// isGenuine reports whether a signature is valid and the timestamp is within the tolerance.
func isGenuine(key []byte, headers http.Header, body []byte) bool {
	id, timestamp := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil {
		return false
	}
	if age := time.Since(time.Unix(seconds, 0)); age > tolerance || age < -tolerance {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", id, timestamp)
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, signature := range strings.Split(headers.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(signature), expected) {
			return true
		}
	}
	return false
}

func main() {
	key, err := keyOf(os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	seen := map[string]bool{} // in production, store IDs in a table, in the transaction that processes the event
	var lock sync.Mutex

	http.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largestBody))
		if err != nil {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		if !isGenuine(key, r.Header, body) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		id := r.Header.Get("webhook-id")
		lock.Lock()
		defer lock.Unlock()
		if !seen[id] {
			seen[id] = true
			fmt.Println("received", id) // process the event here: json.Unmarshal(body, &event)
		}
		w.WriteHeader(http.StatusNoContent)
	})

	port := os.Getenv("PORT")
	if port == "" {
		port = "4000"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("ready")
	log.Fatal(http.Serve(listener, nil))
}
