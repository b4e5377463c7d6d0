package linkservice

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Codes of a VerificationError.
const (
	CodeMissingHeader           = "missing_header"
	CodeTimestampOutOfTolerance = "timestamp_out_of_tolerance"
	CodeBodyTooLarge            = "body_too_large"
	CodeSignatureMismatch       = "signature_mismatch"
	CodeNotAnEvent              = "not_an_event"
	CodeNotABatch               = "not_a_batch"
)

// VerificationError means that a delivery is not authentic, or that its timestamp is out of tolerance. Respond with 400 and
// do nothing.
type VerificationError struct {
	Code    string
	Message string
}

func (e *VerificationError) Error() string {
	return "linkservice: " + e.Message
}

// Verifier verifies webhook deliveries according to Standard Webhooks.
type Verifier struct {
	// Secrets of the webhook. During a rotation, pass the new and the old one.
	Secrets []string
	// Tolerance is the maximum difference between the timestamp and the local clock; 5 minutes by default.
	Tolerance time.Duration
	// MaxBytes is the maximum size of a body; 1 MiB by default.
	MaxBytes int64
	// Now is the local clock; time.Now by default.
	Now func() time.Time
}

const (
	defaultTolerance = 5 * time.Minute
	defaultMaxBytes  = 1 << 20
	// A webhook signs with at most two secrets. Ignore excess signatures, which would only cost time.
	maxSignatures = 8
)

// VerifyWebhook verifies a delivery with each of the secrets and returns its event, or a *VerificationError. During a
// rotation, pass the new and the old secret.
func VerifyWebhook(r *http.Request, secrets ...string) (*Event, error) {
	return (&Verifier{Secrets: secrets}).VerifyRequest(r)
}

// VerifyWebhookBatch is like VerifyWebhook, for a webhook with batches. It returns all events of the delivery.
func VerifyWebhookBatch(r *http.Request, secrets ...string) (*EventBatch, error) {
	return (&Verifier{Secrets: secrets}).VerifyBatchRequest(r)
}

// EventBatch is the body of a delivery to a webhook with batches.
type EventBatch struct {
	BatchID string         `json:"batch_id"`
	Events  []BatchedEvent `json:"events"`
}

// BatchedEvent is an event of a batch.
type BatchedEvent struct {
	Event
	// Sequence is the number that webhook-sequence has without batches; 0 for a test.
	Sequence int64 `json:"sequence"`
}

// UnmarshalJSON implements json.Unmarshaler. Without it, the method of Event would ignore the sequence number.
func (e *BatchedEvent) UnmarshalJSON(data []byte) error {
	var numbered struct {
		Sequence int64 `json:"sequence"`
	}
	if err := json.Unmarshal(data, &numbered); err != nil {
		return err
	}
	e.Sequence = numbered.Sequence
	return json.Unmarshal(data, &e.Event)
}

// VerifyRequest reads the body of a request and verifies it.
func (v *Verifier) VerifyRequest(r *http.Request) (*Event, error) {
	body, err := v.readBody(r)
	if err != nil {
		return nil, err
	}
	return v.Verify(r.Header, body)
}

// VerifyBatchRequest reads the body of a request with a batch and verifies it.
func (v *Verifier) VerifyBatchRequest(r *http.Request) (*EventBatch, error) {
	body, err := v.readBody(r)
	if err != nil {
		return nil, err
	}
	return v.VerifyBatch(r.Header, body)
}

func (v *Verifier) readBody(r *http.Request) ([]byte, error) {
	limit := v.MaxBytes
	if limit == 0 {
		limit = defaultMaxBytes
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(body)) > limit {
		return nil, &VerificationError{CodeBodyTooLarge, fmt.Sprintf("The body has more than %d bytes.", limit)}
	}
	return body, nil
}

// Verify verifies the headers and the raw body of a delivery.
func (v *Verifier) Verify(header http.Header, body []byte) (*Event, error) {
	if err := v.verifySignature(header, body); err != nil {
		return nil, err
	}
	var event Event
	if json.Unmarshal(body, &event) != nil || !isEvent(event) {
		return nil, &VerificationError{CodeNotAnEvent, "The signed body is not an event."}
	}
	return &event, nil
}

// VerifyBatch verifies the headers and the raw body of a delivery with a batch.
func (v *Verifier) VerifyBatch(header http.Header, body []byte) (*EventBatch, error) {
	if err := v.verifySignature(header, body); err != nil {
		return nil, err
	}
	var batch EventBatch
	notABatch := &VerificationError{CodeNotABatch, "The signed body is not a batch of events."}
	if json.Unmarshal(body, &batch) != nil || batch.BatchID == "" || batch.Events == nil {
		return nil, notABatch
	}
	for _, event := range batch.Events {
		if !isEvent(event.Event) {
			return nil, notABatch
		}
	}
	return &batch, nil
}

func isEvent(event Event) bool {
	return event.ID != "" && event.Type != ""
}

func (v *Verifier) verifySignature(header http.Header, body []byte) error {
	if len(v.Secrets) == 0 {
		return errors.New("linkservice: a webhook needs its secret to be verified")
	}
	for _, secret := range v.Secrets {
		if secret == "" {
			return errors.New("linkservice: the secret of the webhook is empty")
		}
	}
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		if header.Get(name) == "" {
			return &VerificationError{CodeMissingHeader, "The header " + name + " is missing."}
		}
	}
	if err := v.checkTimestamp(header.Get("webhook-timestamp")); err != nil {
		return err
	}
	signed := fmt.Appendf(nil, "%s.%s.%s", header.Get("webhook-id"), header.Get("webhook-timestamp"), body)
	if !isSigned(signed, parseSignatures(header.Get("webhook-signature")), v.Secrets) {
		return &VerificationError{
			CodeSignatureMismatch,
			"No signature matches. The secret is wrong, or the body is not the raw body.",
		}
	}
	return nil
}

var isTimestamp = regexp.MustCompile(`^\d{1,12}$`)

func (v *Verifier) checkTimestamp(text string) error {
	now, tolerance := time.Now, v.Tolerance
	if v.Now != nil {
		now = v.Now
	}
	if tolerance == 0 {
		tolerance = defaultTolerance
	}
	seconds, _ := strconv.ParseInt(text, 10, 64)
	if isTimestamp.MatchString(text) && now().Sub(time.Unix(seconds, 0)).Abs() <= tolerance {
		return nil
	}
	return &VerificationError{
		CodeTimestampOutOfTolerance,
		fmt.Sprintf("The timestamp is more than %s away from the local clock.", tolerance),
	}
}

func isSigned(signed []byte, signatures [][]byte, secrets []string) bool {
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, decodeKey(secret))
		mac.Write(signed)
		expected := mac.Sum(nil)
		for _, signature := range signatures {
			if hmac.Equal(signature, expected) {
				return true
			}
		}
	}
	return false
}

// decodeKey returns the decoded base64 after whsec_, otherwise the bytes of the secret.
func decodeKey(secret string) []byte {
	if encoded, ok := strings.CutPrefix(secret, "whsec_"); ok {
		if key := decodeBase64(encoded); key != nil {
			return key
		}
	}
	return []byte(secret)
}

// decodeBase64 decodes canonical base64 with padding. It returns nil for any other text.
func decodeBase64(encoded string) []byte {
	data, err := base64.StdEncoding.Strict().DecodeString(encoded)
	if err != nil || len(data) == 0 || strings.ContainsAny(encoded, "\r\n") {
		return nil
	}
	return data
}

func parseSignatures(header string) [][]byte {
	parts := strings.Split(header, " ")
	signatures := [][]byte{}
	for _, part := range parts[:min(len(parts), maxSignatures)] {
		if encoded, ok := strings.CutPrefix(part, "v1,"); ok {
			signatures = append(signatures, decodeBase64(encoded))
		}
	}
	return signatures
}
