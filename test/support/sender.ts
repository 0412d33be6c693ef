import { randomUUID } from 'node:crypto';
import { Clock } from '../../src/config/clock';
import { Environment } from '../../src/config/environment';
import { TextChecks } from '../../src/http/requests/text-checks';
import { DnsResolver } from '../../src/outbound/dns-resolver';
import { TargetAddresses } from '../../src/outbound/target-addresses';
import { OutgoingWebhook, WebhookSender } from '../../src/webhooks/sending/webhook-sender';
import { TargetUrls } from '../../src/webhooks/sending/target-url';

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** What lets webhooks go to receivers of tests. */
export const LOOPBACK = { WEBHOOKS_ALLOW_HTTP: 'true', WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.1/32' };

/** The sender of the application, and the check at save, without the rest of it. */
export function createSender(
  variables: Record<string, string> = LOOPBACK,
  dns: DnsResolver = new DnsResolver(),
  clock: Clock = new Clock(),
): { sender: WebhookSender; targets: TargetUrls } {
  const environment = new Environment(variables);
  const addresses = new TargetAddresses(environment, dns);
  const targets = new TargetUrls(environment, new TextChecks(), addresses);
  return { sender: new WebhookSender(environment, clock, targets, addresses), targets };
}

/** A webhook to that address, of an id of its own. */
export function webhookTo(targetUrl: string, parts: Partial<OutgoingWebhook> = {}): OutgoingWebhook {
  return { id: randomUUID(), body: '{"type":"test"}', targetUrl, headers: {}, secrets: [SECRET], ...parts };
}
