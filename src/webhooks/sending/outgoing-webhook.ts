import type { SendError } from './send-error';

/** One message to one endpoint, ready to be sent. */
export interface OutgoingWebhook {
  /** `webhook-id`: the event's id, the same in every attempt. */
  id: string;
  /** The exact JSON text that is signed and sent. */
  body: string;
  targetUrl: string;
  /** The endpoint's custom headers. */
  headers: Readonly<Record<string, string>>;
  /** `whsec_…`, newest first; several during a rotation. */
  secrets: readonly string[];
  /** Absent for a ping, which is part of its request. */
  delivery?: {
    id: string;
    /** The event has this type. */
    type: string;
    /** From 1. */
    attempt: number;
    /** The `traceparent` of the change that caused the event. */
    cause: string | null;
  };
}

/** The result of one attempt. */
export interface SendResult {
  startedAt: Date;
  /** Whole milliseconds. */
  durationMs: number;
  /** Null if there was no response. */
  responseStatus: number | null;
  /**
   * At most 16 KiB of the decompressed body, suitable for a column of type `text`; null if there was no response. It
   * may be truncated, also if the attempt failed in the middle.
   */
  responseBody: string | null;
  /** The header as it was received, at most 100 characters. */
  retryAfter: string | null;
  /** Null if and only if it succeeded: the status is 2xx, and the body ended in time or was longer than is kept. */
  error: SendError | null;
}
