package linkservice

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

type vectorCall struct {
	Operation      string
	Path           []string
	Query          map[string]any
	Body           map[string]any
	IdempotencyKey string `json:"idempotency_key"`
	IfMatch        string `json:"if_match"`
	Take           int
	After          string
	Change         json.RawMessage
	File           string
	IsStream       bool `json:"is_stream"`
}

type vectorExchange struct {
	Request struct {
		Method, Path string
		Query        map[string]string
		Headers      map[string]*string
		Body         any
	}
	Response struct {
		Status    int
		Headers   map[string]string
		JSON      json.RawMessage
		Text      string
		Cut, Hang bool
	}
}

type vectorCase struct {
	Name   string
	Client struct {
		MaxRetries    *int   `json:"max_retries"`
		TimeoutMS     int    `json:"timeout_ms"`
		BaseURLSuffix string `json:"base_url_suffix"`
	}
	Call      vectorCall
	Exchanges []vectorExchange
	WaitsMS   [][2]float64 `json:"waits_ms"`
	Result    json.RawMessage
	ETag      json.RawMessage
	Error     map[string]any
}

type vectorWait struct {
	Tries          int
	RetryAfterMS   float64     `json:"retry_after_ms"`
	MaxRetries     int         `json:"max_retries"`
	MaxRetryWaitMS float64     `json:"max_retry_wait_ms"`
	WaitMS         *[2]float64 `json:"wait_ms"`
}

type receivedRequest struct {
	method, path string
	query        map[string]string
	header       http.Header
	body         string
}

func readVectors(t *testing.T, name string, vectors any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "conformance", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, vectors); err != nil {
		t.Fatal(err)
	}
}

func readRequest(r *http.Request) receivedRequest {
	body, _ := io.ReadAll(r.Body)
	query := map[string]string{}
	for name, values := range r.URL.Query() {
		query[name] = strings.Join(values, ",")
	}
	return receivedRequest{r.Method, r.URL.EscapedPath(), query, r.Header, string(body)}
}

func respond(w http.ResponseWriter, exchange vectorExchange, stopped <-chan struct{}) {
	response := exchange.Response
	if response.Hang {
		<-stopped
	}
	if response.Cut || response.Hang {
		panic(http.ErrAbortHandler)
	}
	for name, value := range response.Headers {
		var seconds int
		if _, err := fmt.Sscanf(value, "{date+%d}", &seconds); err == nil {
			value = time.Now().Add(time.Duration(seconds) * time.Second).UTC().Format(http.TimeFormat)
		}
		w.Header().Set(name, value)
	}
	w.Header().Set("Connection", "close")
	w.WriteHeader(response.Status)
	if response.JSON != nil {
		w.Write(response.JSON)
	} else {
		io.WriteString(w, response.Text)
	}
}
