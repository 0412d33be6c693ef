export const LANGUAGES = ['node', 'python', 'go'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Where a receiver listens. */
export interface ReceiverPlace {
  path: string;
}

/** @returns where the receiver of an endpoint listens, by its address */
export const placeOf = (targetUrl: string): ReceiverPlace => ({
  path: URL.canParse(targetUrl) ? new URL(targetUrl).pathname : '/',
});

/** @returns a receiver that needs the standard library alone (Standard Webhooks 1.0) */
export function receiverCode(language: Language, place: ReceiverPlace): string {
  // A path is written as text of the language; what JSON escapes, all three read alike.
  return CODE[language].replaceAll('PATH_OF_ENDPOINT', () => JSON.stringify(place.path));
}

const NODE = `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
// Yours is a table with a unique key, which lasts longer than the process.
const seen = new Set();

function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!id || !timestamp || !signatures) return false;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(body).digest();
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64');
    return one.startsWith('v1,') && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

createServer(async (request, response) => {
  if (request.method !== 'POST' || request.url.split('?')[0] !== PATH_OF_ENDPOINT) {
    response.writeHead(404).end();
    return;
  }
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isSigned(request.headers, body)) {
    response.writeHead(401).end('The signature does not match.');
    return;
  }
  const id = request.headers['webhook-id'];
  const isNew = !seen.has(id);
  seen.add(id);
  response.writeHead(204).end();
  if (isNew) {
    const event = JSON.parse(body);
    console.log(id, event.type, event.data);
  }
}).listen(Number(process.env.PORT ?? 8080));
`;

const PYTHON = `import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
# Yours is a table with a unique key, which lasts longer than the process.
seen = set()


def is_signed(headers, body):
    webhook_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{webhook_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(KEY, signed, hashlib.sha256)).decode()
    return any(
        hmac.compare_digest(expected.encode(), one.encode())
        for one in headers.get("webhook-signature", "").split(" ")
    )


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path.split("?")[0] != PATH_OF_ENDPOINT:
            self.send_error(404)
            return
        if not is_signed(self.headers, body):
            self.send_error(401, "The signature does not match.")
            return
        webhook_id = self.headers["webhook-id"]
        is_new = webhook_id not in seen
        seen.add(webhook_id)
        self.send_response(204)
        self.end_headers()
        if is_new:
            event = json.loads(body)
            print(webhook_id, event["type"], event["data"], flush=True)


ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()
`;

const GO = `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

type Event struct {
	Type string          \`json:"type"\`
	Data json.RawMessage \`json:"data"\`
}

func isSigned(key []byte, header http.Header, body []byte) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || math.Abs(float64(time.Now().Unix()-seconds)) > 300 {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, one := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(one), []byte(expected)) {
			return true
		}
	}
	return false
}

func main() {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	if err != nil {
		log.Fatal(err)
	}
	// Yours is a table with a unique key, which lasts longer than the process.
	var seen sync.Map

	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.URL.EscapedPath() != PATH_OF_ENDPOINT {
			http.NotFound(w, r)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil || !isSigned(key, r.Header, body) {
			http.Error(w, "The signature does not match.", http.StatusUnauthorized)
			return
		}
		_, isKnown := seen.LoadOrStore(r.Header.Get("webhook-id"), true)
		w.WriteHeader(http.StatusNoContent)
		var event Event
		if !isKnown && json.Unmarshal(body, &event) == nil {
			log.Println(event.Type, string(event.Data))
		}
	})

	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	log.Fatal(http.ListenAndServe(":"+port, nil))
}
`;

const CODE: Record<Language, string> = { node: NODE, python: PYTHON, go: GO };
