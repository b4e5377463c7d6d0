package linkservice

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// serve starts a server and returns a client of it.
func serve(t *testing.T, handler http.HandlerFunc, options ...Option) *Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return New(server.URL+"/api", "lsk_test", options...)
}

func TestRequestsDistinguishAbsentNullAndEmpty(t *testing.T) {
	for want, body := range map[string]any{
		`{}`:                       UpdateLink{},
		`{"title":null}`:           UpdateLink{Title: Null[string]()},
		`{"title":""}`:             UpdateLink{Title: Set("")},
		`{"tags":[]}`:              UpdateLink{Tags: []string{}},
		`{"enabled":false}`:        UpdateLink{Enabled: Set(false)},
		`{"headers":{"a":null}}`:   UpdateWebhook{Headers: Set(map[string]Optional[string]{"a": Null[string]()})},
		`{"name":"","scopes":[]}`:  CreateToken{Scopes: []WorkspaceScope{}},
		`{"ids":["lnk_1"]}`:        BulkDelete{IDs: []string{"lnk_1"}},
		`{"url":"https://a.test"}`: CreateLink{URL: "https://a.test"},
		`{"ids":["lnk_1"],"patch":{"title":"A"}}`: BulkUpdate{
			IDs:   []string{"lnk_1"},
			Patch: UpdateLink{Title: Set("A")},
		},
	} {
		got, err := json.Marshal(body)
		if err != nil || string(got) != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
}

func TestQueriesOmitZeroValues(t *testing.T) {
	at := time.Date(2026, time.January, 31, 10, 0, 0, 0, time.FixedZone("", 3600))
	for want, query := range map[string]any{
		"":                                       (*ListLinksQuery)(nil),
		"enabled=false&limit=5":                  &ListLinksQuery{Limit: 5, Enabled: Set(false)},
		"country=DE&country=":                    &GetAnalyticsQuery{Country: []string{"DE", ""}},
		"created_after=2026-01-31T09%3A00%3A00Z": &ListEventsQuery{CreatedAfter: at},
		"margin=0":                               &GetLinkQRQuery{Margin: Set(0)},
		"limit=5":                                &ListLinksQuery{Limit: 5, Enabled: Null[bool]()},
	} {
		if got := encodeQuery(query, nil); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestInvalidConfigurationIsAnErrorOfEveryCall(t *testing.T) {
	ctx := context.Background()
	for _, client := range []*Client{
		New("links.example/api", "lsk_test"),
		New("https://user:password@links.example/api", ""),
		New("http://127.0.0.1:9/api", "lsk_test\n"),
	} {
		_, err := client.Links.Get(ctx, "lnk_1")
		var failure *Error
		if err == nil || errors.As(err, &failure) || strings.Contains(err.Error(), "lsk_test") {
			t.Errorf("unexpected error: %v", err)
		}
	}
}

func TestConnectionErrorsNameTheURLAndTheReason(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	_, err := New(server.URL+"/api", "lsk_test", MaxRetries(0)).Links.Get(context.Background(), "lnk_1")
	want := "linkservice: The service at " + server.URL + "/api could not be reached: dial tcp "
	if !errors.Is(err, ErrConnection) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s…", err, want)
	}
}

func TestIfMatchNeedsAnEntityTag(t *testing.T) {
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != "GET" {
			t.Errorf("sent %s %s", r.Method, r.URL.Path)
		}
		io.WriteString(w, `{"data":[{"id":"lnk_1"}],"has_more":false,"next_cursor":null}`)
	})
	ctx := context.Background()
	links, err := client.Links.List(ctx, nil).Collect(1)
	if err != nil {
		t.Fatal(err)
	}
	version := IfMatch(links[0].ETag())
	_, updateError := client.Links.Update(ctx, "lnk_1", UpdateLink{}, version)
	for _, err := range []error{updateError, client.Links.Delete(ctx, "lnk_1", version)} {
		if err == nil || !strings.HasSuffix(err.Error(), "Get it first: objects in lists have none.") {
			t.Errorf("unexpected error: %v", err)
		}
	}
}

func TestFollowAndLiveEndWithoutAnErrorWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	for _, err := range client.Events.Follow(ctx, "", nil) {
		t.Errorf("unexpected item or error: %v", err)
	}
	for _, err := range client.Clicks.Live(ctx, "", nil) {
		t.Errorf("unexpected item or error: %v", err)
	}
}

func TestCallsEndWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	if _, err := client.Links.Get(ctx, "lnk_1"); !errors.Is(err, context.Canceled) {
		t.Errorf("unexpected error: %v", err)
	}
}

func TestDownloadsReportBrokenConnections(t *testing.T) {
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
		io.WriteString(w, "url\n")
		if r.URL.Query().Get("tag") == "broken" {
			http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
	})
	file, err := client.Links.Export(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if text, err := io.ReadAll(file); string(text) != "url\n" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	broken, err := client.Links.Export(context.Background(), &ExportLinksQuery{Tag: "broken"})
	if err != nil {
		t.Fatal(err)
	}
	defer broken.Close()
	if text, err := io.ReadAll(broken); string(text) != "url\n" || !errors.Is(err, ErrConnection) {
		t.Errorf("%q, %v", text, err)
	}
}

func TestDownloadsRejectOtherMediaTypes(t *testing.T) {
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<html>Sign in</html>")
	})
	_, err := client.Links.QR(context.Background(), "lnk_1", nil)
	var failure *Error
	if !errors.As(err, &failure) || failure.Code != CodeUnexpectedAnswer {
		t.Errorf("unexpected error: %v", err)
	}
}

func TestImportsAreSentAgainIfTheFileCanSeek(t *testing.T) {
	var bodies, keys []string
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies = append(bodies, string(body))
		keys = append(keys, r.Header.Get("Idempotency-Key"))
		if len(bodies)%2 == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		io.WriteString(w, `{"id":"imp_1"}`)
	})
	file := strings.NewReader("\ufeffurl\n")
	file.Seek(3, io.SeekStart)
	started, err := client.Imports.Create(context.Background(), file, nil)
	if err != nil || started.ID != "imp_1" {
		t.Errorf("%v, %v", started, err)
	}
	if !slices.Equal(bodies, []string{"url\n", "url\n"}) || keys[0] == "" || keys[0] != keys[1] {
		t.Errorf("received %q with the keys %q", bodies, keys)
	}
	bodies = nil
	_, err = client.Imports.Create(context.Background(), io.LimitReader(file, 9), nil)
	if !errors.Is(err, ErrServer) || len(bodies) != 1 {
		t.Errorf("%v after %d requests", err, len(bodies))
	}
}

func TestImportsHaveAContentType(t *testing.T) {
	var types []string
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		types = append(types, r.Header.Get("Content-Type"))
		io.WriteString(w, `{"id":"imp_1"}`)
	})
	for _, each := range []struct {
		query   *CreateImportQuery
		options []CreateOption
	}{
		{nil, nil},
		{&CreateImportQuery{Format: ImportFormatNDJSON}, nil},
		{&CreateImportQuery{Format: ImportFormatBitly}, []CreateOption{ContentType("application/x-ndjson")}},
	} {
		if _, err := client.Imports.Create(context.Background(), strings.NewReader(""), each.query, each.options...); err != nil {
			t.Error(err)
		}
	}
	if !slices.Equal(types, []string{"text/csv", "application/x-ndjson", "application/x-ndjson"}) {
		t.Errorf("sent %q", types)
	}
}

func TestLiveContinuesAfterTheLastClick(t *testing.T) {
	var cursors []string
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/v1/clicks" {
			io.WriteString(w, `{"data":[],"has_more":false,"next_cursor":"c0"}`)
			return
		}
		cursors = append(cursors, r.Header.Get("Last-Event-ID"))
		w.Header().Set("Content-Type", "text/event-stream")
		if len(cursors) == 1 {
			io.WriteString(w, ": comment\n\nid: c1\nevent: click\ndata: {\"id\":\"clk_1\"}\n\nid: c2\ndata: {\"id\":")
			return
		}
		io.WriteString(w, "id: c2\ndata: {\"id\":\"clk_2\"}\n\n")
	})
	var ids []string
	for row, err := range client.Clicks.Live(context.Background(), "", nil) {
		if err != nil {
			t.Fatal(err)
		}
		if ids = append(ids, row.Item.ID+" "+row.Cursor); len(ids) == 2 {
			break
		}
	}
	if !slices.Equal(ids, []string{"clk_1 c1", "clk_2 c2"}) || !slices.Equal(cursors, []string{"c0", "c1"}) {
		t.Errorf("received %q after %q", ids, cursors)
	}
}

func TestTypedReturnsTheStructOfTheEvent(t *testing.T) {
	var created, unknown Event
	decode := func(text string, event *Event) {
		if err := json.Unmarshal([]byte(text), event); err != nil {
			t.Fatal(err)
		}
	}
	decode(`{"id":"evt_1","type":"link.created","data":{"link":{"slug":"spring"}}}`, &created)
	decode(`{"id":"evt_2","type":"link.archived","data":{"link":1}}`, &unknown)
	if typed, ok := created.Typed().(*LinkCreatedEvent); !ok || typed.Data.Link.Slug != "spring" {
		t.Errorf("unexpected event: %v", created.Typed())
	}
	if unknown.Typed() != any(&unknown) {
		t.Errorf("unexpected event: %v", unknown.Typed())
	}
}

func TestSequenceGaps(t *testing.T) {
	gaps := NewSequenceGaps(3)
	for _, each := range []struct {
		number int64
		isNew  bool
	}{{4, true}, {8, true}, {6, true}, {6, false}, {4, false}, {5, true}} {
		if gaps.NoteNumber(each.number) != each.isNew {
			t.Errorf("%d is new: %v", each.number, !each.isNew)
		}
	}
	if missing := gaps.Missing(); !slices.Equal(missing, []SequenceRange{{7, 7}}) {
		t.Errorf("missing %v", missing)
	}
	if !new(SequenceGaps).Note(http.Header{}) {
		t.Error("a test delivery is not new")
	}
}

func TestSequenceGapsDoNotKnowNumbersBelowTheFirst(t *testing.T) {
	zero := &SequenceGaps{}
	zero.NoteNumber(7)
	for name, gaps := range map[string]*SequenceGaps{"zero value": zero, "continued": NewSequenceGaps(6)} {
		if !gaps.NoteNumber(5) || len(gaps.Missing()) != 0 {
			t.Errorf("%s: 5 is known, or missing: %v", name, gaps.Missing())
		}
	}
}

func TestVerifyWebhookLimitsTheBody(t *testing.T) {
	request := httptest.NewRequest("POST", "/", strings.NewReader(strings.Repeat("a", defaultMaxBytes+1)))
	_, err := VerifyWebhook(request, "secret")
	var failure *VerificationError
	if !errors.As(err, &failure) || failure.Code != CodeBodyTooLarge {
		t.Errorf("unexpected error: %v", err)
	}
}
