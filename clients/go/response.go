package linkservice

import (
	"bytes"
	"encoding/json"
)

// response is embedded in every response.
type response struct {
	raw  json.RawMessage
	etag string
}

// RawJSON returns the received JSON, with the fields that this version of the package does not know.
func (r response) RawJSON() json.RawMessage {
	return r.raw
}

// ETag returns the version of an object that a call returned, for IfMatch. It is empty for items of lists.
func (r response) ETag() string {
	return r.etag
}

// String returns the received JSON.
func (r response) String() string {
	return string(r.raw)
}

func (r *response) setETag(etag string) {
	r.etag = etag
}

// decodeFields decodes a response. `fields` has the same fields as the response, but no UnmarshalJSON.
func decodeFields(data []byte, fields any, r *response) error {
	if err := json.Unmarshal(data, fields); err != nil {
		return err
	}
	r.raw = bytes.Clone(data)
	return nil
}
