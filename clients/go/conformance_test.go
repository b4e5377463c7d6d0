package linkservice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// Runs the vectors of clients/conformance, whose README describes the format.

func TestConformance(t *testing.T) {
	for _, area := range []string{"retries", "pagination", "errors", "idempotency", "updates", "values", "requests"} {
		var vectors struct{ Cases []vectorCase }
		readVectors(t, area, &vectors)
		if len(vectors.Cases) == 0 {
			t.Fatalf("%s has no cases", area)
		}
		for _, each := range vectors.Cases {
			t.Run(area+"/"+each.Name, func(t *testing.T) {
				t.Parallel()
				playCase(t, each)
			})
		}
	}
}

func playCase(t *testing.T, each vectorCase) {
	var mutex sync.Mutex
	var requests []receivedRequest
	stopped := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		received := readRequest(r)
		mutex.Lock()
		requests = append(requests, received)
		index := len(requests) - 1
		mutex.Unlock()
		if index < len(each.Exchanges) {
			respond(w, each.Exchanges[index], stopped)
		}
	}))
	defer server.Close()
	defer close(stopped)
	var waits []time.Duration
	options := []Option{OnRetry(func(retry Retry) { waits = append(waits, retry.Wait) })}
	if each.Client.MaxRetries != nil {
		options = append(options, MaxRetries(*each.Client.MaxRetries))
	}
	if each.Client.TimeoutMS > 0 {
		options = append(options, Timeout(time.Duration(each.Client.TimeoutMS)*time.Millisecond))
	}
	client := New(server.URL+each.Client.BaseURLSuffix, "lsk_test", options...)
	result, err := callOperation(client, each.Call)

	mutex.Lock()
	defer mutex.Unlock()
	compareRequests(t, requests, each.Exchanges)
	if each.WaitsMS != nil && len(waits) != len(each.WaitsMS) {
		t.Errorf("waited %v, want %v", waits, each.WaitsMS)
	}
	for index, wait := range each.WaitsMS {
		if index < len(waits) && !isWithin(waits[index], wait) {
			t.Errorf("waited %v, want %v ms", waits[index], wait)
		}
	}
	if each.Error != nil {
		compareError(t, err, each.Error)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	var want any
	if err := json.Unmarshal(each.Result, &want); err != nil {
		t.Fatal(err)
	}
	compareMembers(t, "result", toJSON(t, result), want)
	if each.ETag != nil {
		var etag string
		if err := json.Unmarshal(each.ETag, &etag); err != nil {
			t.Fatal(err)
		}
		if got := result.(interface{ ETag() string }).ETag(); got != etag {
			t.Errorf("ETag %q, want %q", got, etag)
		}
	}
}

func callOperation(client *Client, call vectorCall) (any, error) {
	ctx := context.Background()
	id := strings.Join(call.Path, "")
	var version []UpdateOption
	if call.IfMatch != "" {
		version = append(version, IfMatch(call.IfMatch))
	}
	switch call.Operation {
	case "listLinks":
		query := &ListLinksQuery{}
		if limit, ok := call.Query["limit"].(float64); ok {
			query.Limit = int(limit)
		}
		query.Tag, _ = call.Query["tag"].(string)
		query.Q, _ = call.Query["q"].(string)
		if enabled, ok := call.Query["enabled"].(bool); ok {
			query.Enabled = Set(enabled)
		}
		return takeItems(client.Links.List(ctx, query).All(), call.Take)
	case "followEvents":
		return takeItems(client.Events.Follow(ctx, call.After, nil), call.Take)
	case "createLink":
		var options []CreateOption
		if call.IdempotencyKey != "" {
			options = append(options, IdempotencyKey(call.IdempotencyKey))
		}
		return client.Links.Create(ctx, createLinkOf(call.Body), options...)
	case "createLinks":
		body := BulkCreate{Atomic: Set(call.Body["atomic"].(bool))}
		for _, link := range call.Body["links"].([]any) {
			body.Links = append(body.Links, createLinkOf(link.(map[string]any)))
		}
		return client.Links.CreateMany(ctx, body)
	case "putLinkByExternalId":
		return client.Links.PutByExternalID(ctx, id, createLinkOf(call.Body))
	case "getLink":
		return client.Links.Get(ctx, id)
	case "getLinkBySlug":
		return client.Links.GetBySlug(ctx, id)
	case "updateLink":
		if call.Change != nil {
			return client.Links.UpdateFunc(ctx, id, changeOf(call.Change))
		}
		return client.Links.Update(ctx, id, UpdateLink{Title: optionalOf(call.Body, "title")}, version...)
	case "deleteLink":
		return nil, client.Links.Delete(ctx, id, version...)
	case "revokeOwnToken":
		return nil, client.Tokens.RevokeSelf(ctx)
	case "getWebhook":
		return client.Webhooks.Get(ctx, id)
	case "sendTestEvent":
		return client.Webhooks.Test(ctx, id, nil)
	case "getEvent":
		return client.Events.Get(ctx, id)
	case "getAnalytics":
		return client.Analytics.Get(ctx, &GetAnalyticsQuery{
			Interval: AnalyticsInterval(call.Query["interval"].(string)),
			GroupBy:  AnalyticsGroup(call.Query["group_by"].(string)),
		})
	case "createImport":
		query := &CreateImportQuery{}
		if format, ok := call.Query["format"].(string); ok {
			query.Format = ImportFormat(format)
		}
		var file io.Reader = strings.NewReader(call.File)
		if call.IsStream {
			// Cannot seek.
			file = io.LimitReader(file, int64(len(call.File)))
		}
		return client.Imports.Create(ctx, file, query)
	}
	return nil, fmt.Errorf("unknown operation %s", call.Operation)
}

func takeItems[T any](items iter.Seq2[T, error], limit int) ([]T, error) {
	taken := []T{}
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		taken = append(taken, item)
		if len(taken) == limit {
			break
		}
	}
	return taken, nil
}

func createLinkOf(body map[string]any) CreateLink {
	return CreateLink{URL: body["url"].(string), Title: optionalOf(body, "title")}
}

func optionalOf(body map[string]any, name string) Optional[string] {
	value, isPresent := body[name]
	if text, ok := value.(string); ok {
		return Set(text)
	}
	if isPresent {
		return Null[string]()
	}
	return Optional[string]{}
}

func changeOf(change json.RawMessage) func(*Link) (*UpdateLink, error) {
	return func(link *Link) (*UpdateLink, error) {
		var step *struct {
			AppendTag string `json:"append_tag"`
		}
		if err := json.Unmarshal(change, &step); err != nil || step == nil {
			return nil, err
		}
		return &UpdateLink{Tags: append(link.Tags, step.AppendTag)}, nil
	}
}

func TestConformanceOfWaits(t *testing.T) {
	var vectors struct{ Waits []vectorWait }
	readVectors(t, "retries", &vectors)
	for _, each := range vectors.Waits {
		limits := &transport{
			maxRetries:   each.MaxRetries,
			maxRetryWait: time.Duration(each.MaxRetryWaitMS) * time.Millisecond,
		}
		failure := &Error{Status: 503, RetryAfter: time.Duration(each.RetryAfterMS) * time.Millisecond}
		wait, isRetry := limits.waitBeforeRetry(failure, each.Tries, true)
		if isRetry != (each.WaitMS != nil) || (isRetry && !isWithin(wait, *each.WaitMS)) {
			t.Errorf("%+v: %v, %v", each, wait, isRetry)
		}
	}
}

type signatureCase struct {
	Name    string
	Secrets []string
	Headers map[string]string
	Body    string
	Event   any
	Batch   any
	Error   string
}

func TestConformanceOfSignatures(t *testing.T) {
	var vectors struct {
		Now, Tolerance int64
		Cases, Batches []signatureCase
	}
	readVectors(t, "signatures", &vectors)
	for _, each := range vectors.Cases {
		t.Run(each.Name, func(t *testing.T) {
			event, err := verifierOf(each, vectors.Now, vectors.Tolerance).Verify(headerOf(each), []byte(each.Body))
			compareVerified(t, event, err, each.Event, each.Error)
		})
	}
	for _, each := range vectors.Batches {
		t.Run(each.Name, func(t *testing.T) {
			batch, err := verifierOf(each, vectors.Now, vectors.Tolerance).VerifyBatch(headerOf(each), []byte(each.Body))
			compareVerified(t, batch, err, each.Batch, each.Error)
		})
	}
}

func verifierOf(each signatureCase, now, tolerance int64) *Verifier {
	return &Verifier{
		Secrets:   each.Secrets,
		Tolerance: time.Duration(tolerance) * time.Second,
		Now:       func() time.Time { return time.Unix(now, 0) },
	}
}

func headerOf(each signatureCase) http.Header {
	header := http.Header{}
	for name, value := range each.Headers {
		header.Set(name, value)
	}
	return header
}

func compareVerified(t *testing.T, verified any, err error, want any, wantCode string) {
	t.Helper()
	if err != nil {
		var failure *VerificationError
		if !errors.As(err, &failure) || failure.Code != wantCode {
			t.Errorf("%v, want %q", err, wantCode)
		}
		return
	}
	if wantCode != "" {
		t.Fatalf("verified, want %s", wantCode)
	}
	compareMembers(t, "body", toJSON(t, verified), want)
}
