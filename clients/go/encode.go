package linkservice

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"time"
)

// encodeFields returns the JSON object of a request: the required fields, and all fields that are not zero. encoding/json
// cannot omit a nil slice and keep an empty one before Go 1.24.
func encodeFields(body any) ([]byte, error) {
	var buffer bytes.Buffer
	buffer.WriteByte('{')
	value := reflect.ValueOf(body)
	for i := range value.NumField() {
		name, flag, _ := strings.Cut(value.Type().Field(i).Tag.Get("json"), ",")
		field := value.Field(i)
		if flag == "omitempty" && isZero(field) {
			continue
		}
		text, err := json.Marshal(field.Interface())
		if err != nil {
			return nil, err
		}
		if buffer.Len() > 1 {
			buffer.WriteByte(',')
		}
		fmt.Fprintf(&buffer, "%q:%s", name, text)
	}
	buffer.WriteByte('}')
	return buffer.Bytes(), nil
}

func isZero(field reflect.Value) bool {
	if optional, ok := field.Interface().(interface{ isAbsent() bool }); ok {
		return optional.isAbsent()
	}
	return field.IsZero()
}

// encodeQuery returns the query string of a pointer to a struct, which may be nil, and more parameters.
func encodeQuery(query any, parameters map[string]string) string {
	values := url.Values{}
	for name, text := range parameters {
		values.Set(name, text)
	}
	pointer := reflect.ValueOf(query)
	if !pointer.IsValid() || pointer.IsNil() {
		return values.Encode()
	}
	value := pointer.Elem()
	for i := range value.NumField() {
		name, field := value.Type().Field(i).Tag.Get("query"), value.Field(i)
		if isZero(field) {
			continue
		}
		if field.Kind() == reflect.Slice {
			for index := range field.Len() {
				values.Add(name, queryText(field.Index(index).Interface()))
			}
			continue
		}
		if text := queryText(field.Interface()); text != "" {
			values.Set(name, text)
		}
	}
	return values.Encode()
}

// queryText returns the text of a parameter. A query has no null, so that an Optional without a value is empty.
func queryText(value any) string {
	if optional, ok := value.(interface{ queryValue() any }); ok {
		if value = optional.queryValue(); value == nil {
			return ""
		}
	}
	if at, ok := value.(time.Time); ok {
		return at.UTC().Format(time.RFC3339Nano)
	}
	return fmt.Sprint(value)
}
