package linkservice

import "encoding/json"

// Optional is a field of a request that is absent, null or has a value. The zero value is absent.
type Optional[T any] struct {
	value T
	state optionalState
}

type optionalState uint8

const (
	isAbsent optionalState = iota
	isNull
	isSet
)

// Set returns a field with a value.
func Set[T any](value T) Optional[T] {
	return Optional[T]{value: value, state: isSet}
}

// Null returns a field that is null, such as Null[string](). In an update, it clears the field.
func Null[T any]() Optional[T] {
	return Optional[T]{state: isNull}
}

// Get returns the value, and whether there is one.
func (o Optional[T]) Get() (T, bool) {
	return o.value, o.state == isSet
}

// IsNull reports whether the field is null.
func (o Optional[T]) IsNull() bool {
	return o.state == isNull
}

func (o Optional[T]) isAbsent() bool {
	return o.state == isAbsent
}

// MarshalJSON implements json.Marshaler.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if o.state != isSet {
		return []byte("null"), nil
	}
	return json.Marshal(o.value)
}

func (o Optional[T]) queryValue() any {
	if o.state != isSet {
		return nil
	}
	return o.value
}
