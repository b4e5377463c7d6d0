package linkservice

import (
	"context"
	"io"
	"mime"
	"net/http"
	"slices"
)

// CSV returns the results of Get as a CSV file. Close it after reading.
func (s *AnalyticsService) CSV(ctx context.Context, query *GetAnalyticsQuery) (io.ReadCloser, error) {
	return s.transport.download(ctx, request{
		method: "GET",
		path:   "/v1/analytics",
		query:  query,
		accept: []string{"text/csv"},
	})
}

// AnalyticsCSV returns the results of Analytics as a CSV file. Close it after reading.
func (s *LinksService) AnalyticsCSV(ctx context.Context, id string, query *GetLinkAnalyticsQuery) (io.ReadCloser, error) {
	return s.transport.download(ctx, request{
		method: "GET",
		path:   "/v1/links/{id}/analytics",
		ids:    []string{id},
		query:  query,
		accept: []string{"text/csv"},
	})
}

// Report returns the failed lines of an import with their errors. Close it after reading.
func (s *ImportsService) Report(ctx context.Context, id string, format ExportFormat) (io.ReadCloser, error) {
	return s.transport.download(ctx, request{
		method: "GET",
		path:   "/v1/imports/{id}/report",
		ids:    []string{id},
		accept: []string{fileType(format == ExportFormatNDJSON)},
	})
}

func fileType(isNDJSON bool) string {
	if isNDJSON {
		return "application/x-ndjson"
	}
	return "text/csv"
}

// download returns a file as a stream. The time limit and retries end with the response headers.
func (t *transport) download(ctx context.Context, r request) (io.ReadCloser, error) {
	var file io.ReadCloser
	err := t.send(ctx, r, func(received *http.Response, cancel context.CancelFunc) error {
		if err := checkMediaType(received, r.accept); err != nil {
			return err
		}
		file = &download{received.Body, ctx, cancel}
		return errHandedOver
	})
	return file, err
}

// downloadAll returns a small file.
func (t *transport) downloadAll(ctx context.Context, r request) ([]byte, error) {
	var data []byte
	err := t.send(ctx, r, func(received *http.Response, _ context.CancelFunc) (err error) {
		if err := checkMediaType(received, r.accept); err != nil {
			return err
		}
		data, err = io.ReadAll(received.Body)
		return err
	})
	return data, err
}

// checkMediaType rejects other media types, such as the HTML page of a proxy with status 200.
func checkMediaType(received *http.Response, expected []string) error {
	mediaType, _, _ := mime.ParseMediaType(received.Header.Get("Content-Type"))
	if slices.Contains(expected, mediaType) {
		return nil
	}
	text, err := io.ReadAll(received.Body)
	if err != nil {
		return err
	}
	return responseError(received.StatusCode, received.Header, text)
}

// download is the body of a response. A broken connection is an error, so that an incomplete file is never mistaken for a
// complete one.
type download struct {
	body   io.ReadCloser
	ctx    context.Context
	cancel context.CancelFunc
}

func (d *download) Read(buffer []byte) (int, error) {
	count, err := d.body.Read(buffer)
	if err != nil && err != io.EOF {
		if d.ctx.Err() != nil {
			return count, contextError(d.ctx)
		}
		message := "The connection broke before the response was complete."
		err = &Error{Code: CodeConnectionFailed, Message: message, cause: err}
	}
	return count, err
}

func (d *download) Close() error {
	d.cancel()
	return d.body.Close()
}
