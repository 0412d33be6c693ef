import type { Span, SpanOptions } from '@opentelemetry/api';
import { parseUrl } from '../../config/parse-url';
import { markFailed, SpanKind } from '../../tracing/tracing';
import { parseTraceparent } from '../../tracing/trace-context';
import type { OutgoingWebhook, SendResult } from './outgoing-webhook';

/**
 * The span of an attempt. That of a delivery begins a trace of its own, as it may come days after the request that caused
 * it and once for each endpoint: it links to the request. It has the host of the receiver, and never the path or query of
 * its address, in which receivers put secrets.
 */
export function attemptSpan({ id, targetUrl, delivery }: OutgoingWebhook): SpanOptions {
  const attributes = {
    'http.request.method': 'POST',
    ...serverOf(targetUrl),
    'toolyard.event.id': id,
    'toolyard.event.type': delivery?.type ?? 'webhook.ping',
  };
  if (!delivery) return { kind: SpanKind.CLIENT, attributes };
  const cause = parseTraceparent(delivery.cause ?? undefined);
  return {
    kind: SpanKind.CLIENT,
    root: true,
    links: cause ? [{ context: cause }] : [],
    attributes: {
      ...attributes,
      'toolyard.delivery.id': delivery.id,
      ...(delivery.attempt > 1 ? { 'http.request.resend_count': delivery.attempt - 1 } : {}),
    },
  };
}

/** Notes the result of an attempt. */
export function endAttempt(span: Span, { responseStatus, error }: SendResult): void {
  if (responseStatus !== null) span.setAttribute('http.response.status_code', responseStatus);
  if (error) markFailed(span, error.code === 'http_status' ? String(responseStatus) : error.code);
}

function serverOf(targetUrl: string) {
  const url = parseUrl(targetUrl);
  if (!url) return {};
  const { protocol, hostname, port } = url;
  return { 'server.address': hostname, 'server.port': Number(port || (protocol === 'https:' ? 443 : 80)) };
}
