package linkservice

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
)

// request is a call of the API.
type request struct {
	method string
	// path has a placeholder for each of the ids.
	path string
	ids  []string
	// query is nil or a pointer to a struct.
	query any
	// parameters are added to the query. Empty ones are sent too.
	parameters map[string]string
	body       any
	// file is sent instead of body.
	file   *upload
	accept []string
	header map[string]string

	needsKey       bool
	idempotencyKey string
	ifMatch        string
	// optionError is returned instead of sending the request.
	optionError error

	hasNoTimeout bool
}

// preparedRequest is what all attempts of a call send.
type preparedRequest struct {
	method string
	url    string
	header map[string]string
	// openBody returns the body of one attempt.
	openBody func() (io.Reader, error)
	// isRepeatable reports whether a retry has no additional effect.
	isRepeatable bool
	// canResend reports whether the body can be sent again. A file that cannot seek can be read only once.
	canResend bool
}

func prepareRequest(baseURL string, r request) (*preparedRequest, error) {
	if r.optionError != nil {
		return nil, r.optionError
	}
	path, err := fillPath(r.path, r.ids)
	if err != nil {
		return nil, err
	}
	prepared := &preparedRequest{
		method:       r.method,
		url:          baseURL + path,
		header:       map[string]string{"Accept": "application/json"},
		openBody:     func() (io.Reader, error) { return nil, nil },
		isRepeatable: r.method != "POST" || r.needsKey,
		canResend:    r.file == nil || r.file.isSeekable,
	}
	if query := encodeQuery(r.query, r.parameters); query != "" {
		prepared.url += "?" + query
	}
	if len(r.accept) > 0 {
		prepared.header["Accept"] = strings.Join(r.accept, ", ")
	}
	for name, value := range r.header {
		prepared.header[name] = value
	}
	if r.ifMatch != "" {
		prepared.header["If-Match"] = r.ifMatch
	}
	if r.needsKey {
		if r.idempotencyKey == "" {
			r.idempotencyKey = randomKey()
		}
		prepared.header["Idempotency-Key"] = r.idempotencyKey
	}
	if r.file != nil {
		prepared.header["Content-Type"] = r.file.contentType
		prepared.openBody = r.file.open
	} else if r.body != nil {
		text, err := json.Marshal(r.body)
		if err != nil {
			return nil, fmt.Errorf("linkservice: the request body is invalid: %w", err)
		}
		prepared.header["Content-Type"] = "application/json"
		prepared.openBody = func() (io.Reader, error) { return bytes.NewReader(text), nil }
	}
	return prepared, nil
}

func fillPath(path string, ids []string) (string, error) {
	for _, id := range ids {
		before, rest, _ := strings.Cut(path, "{")
		name, after, _ := strings.Cut(rest, "}")
		// An empty value would select the whole list. Dot segments change the path, even if they are escaped.
		if id == "" || id == "." || id == ".." {
			return "", fmt.Errorf("linkservice: %s must be a valid value, not %q", name, id)
		}
		path = before + url.PathEscape(id) + after
	}
	return path, nil
}

// normalizeBaseURL validates the URL. It removes a trailing slash and /v1, because the service prints its URL with /v1.
func normalizeBaseURL(text string) (string, error) {
	parsed, err := url.Parse(text)
	if err != nil || (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Host == "" {
		return "", errors.New("linkservice: the URL must be absolute, such as https://links.example/api")
	}
	if parsed.User != nil || parsed.RawQuery != "" || parsed.Fragment != "" {
		return "", errors.New("linkservice: the URL must not contain a user name, password, query or fragment")
	}
	path := strings.TrimSuffix(strings.TrimRight(parsed.EscapedPath(), "/"), "/v1")
	return parsed.Scheme + "://" + parsed.Host + path, nil
}

// validateToken rejects a token here, because the error of net/http for an invalid header could contain the token.
func validateToken(token string) error {
	for _, character := range token {
		if character <= ' ' || character > '~' {
			return errors.New("linkservice: the token contains invalid characters")
		}
	}
	return nil
}

func randomKey() string {
	bytes := make([]byte, 16)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return hex.EncodeToString(bytes)
}
