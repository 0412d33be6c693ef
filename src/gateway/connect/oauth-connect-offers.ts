import { hash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { canonicalJson } from '../protocol/definition-digest';
import type { ReachableEntry } from '../compile/compiled-bundle';
import { plain } from '../protocol/json-bytes';
import { isObject, RpcCode, RpcFailure } from '../protocol/json-rpc';
import { type ConnectOffer, ConnectOffers } from '../edge/connect-offers';
import type { MethodCall } from '../edge/method-call';
import { RequestStates, type RequestStateScope } from '../edge/request-states';
import type { UpstreamFailure } from '../protocol/upstream-failure';
import { readChallenge } from '../protocol/challenge';
import { ConnectLinks } from './connect-links';

/** Our question has this name among those of a result. */
const QUESTION = 'connect';
/** What `requestState` has in it: whose and for what it is, its place says. */
const OWN = 'connect';
/** Methods whose results may ask something (MCP 2026-07-28, multi round-trip requests). */
const CAN_ASK: readonly string[] = ['tools/call', 'prompts/get', 'resources/read'];

/**
 * Offers people to connect an account where a call of theirs needs one. The tokens never pass through the client: it gets the
 * address of our own page (MCP 2026-07-28, elicitation, "URL Mode Elicitation for OAuth Flows").
 */
@Injectable()
export class OAuthConnectOffers extends ConnectOffers {
  constructor(
    private readonly links: ConnectLinks,
    private readonly states: RequestStates,
  ) {
    super();
  }

  offer(call: MethodCall, entry: ReachableEntry, failure: UpstreamFailure): ConnectOffer | undefined {
    if (failure.code !== 'credential_required' || !isPersonal(call, entry) || this.hasDeclined(call, entry))
      return undefined;
    const { host } = new URL(entry.credential?.origin ?? entry.upstream.url);
    const url = this.linkFor(call, entry, failure);
    const message = `The server "${entry.key}" needs your account at ${host}. Connect it there, and go on here.`;
    if (!opensAddresses(call)) return { text: `${message} ${addressSentence(url)}` };
    if (call.client.era === 'legacy') {
      const elicitations = [{ mode: 'url', elicitationId: randomUUID(), url, message }];
      throw new RpcFailure(200, RpcCode.UrlElicitationRequired, message, undefined, { elicitations });
    }
    return {
      result: {
        resultType: 'input_required',
        inputRequests: { [QUESTION]: { method: 'elicitation/create', params: { mode: 'url', message, url } } },
        requestState: this.states.seal(OWN, placeOf(call, entry)),
      },
    };
  }

  isOwn(call: MethodCall, entry: ReachableEntry): boolean {
    return this.states.open(call.params.requestState, placeOf(call, entry)) === OWN;
  }

  private hasDeclined(call: MethodCall, entry: ReachableEntry): boolean {
    const { inputResponses } = call.params;
    const answer = isObject(inputResponses) ? plain(inputResponses[QUESTION]) : undefined;
    return isObject(answer) && answer.action !== 'accept' && this.isOwn(call, entry);
  }

  private linkFor({ exchange }: MethodCall, entry: ReachableEntry, { status, challenge }: UpstreamFailure): string {
    const { bundleId, boundVersion, personId } = exchange.admission.target;
    const { scope, resourceMetadata } = (status === 403 && readChallenge(challenge)) || {};
    return this.links.seal({
      ...{ personId, bundleId, entryId: entry.id, version: boundVersion, owner: 'PERSON' },
      ...(scope === undefined ? {} : { scope }),
      ...(resourceMetadata === undefined ? {} : { resourceMetadata }),
    });
  }
}

/**
 * Whether an account of the person who calls would do. An access token acts for the bundle, and who reads its answers is
 * no one in particular. What has moved to another origin, people have to look at first.
 */
function isPersonal({ exchange }: MethodCall, { credential }: ReachableEntry): boolean {
  if (exchange.credential.kind !== 'person' || !credential || credential.state === 'ORIGIN_CHANGED') return false;
  return credential.mode === 'PERSONAL' || credential.mode === 'PERSONAL_OR_SHARED';
}

function opensAddresses({ client, method }: MethodCall): boolean {
  const { elicitation } = client.capabilities;
  if (!isObject(elicitation) || !isObject(elicitation.url)) return false;
  return client.era === 'modern' ? CAN_ASK.includes(method) : client.revision === '2025-11-25';
}

function addressSentence(url: string): string {
  return `The person who uses this program has to open this address in a browser, signed in to Toolyard; it is good for an hour and for them only: ${url}`;
}

/** Everything that the client sends again, so that what was asked for one request is no answer to another one. */
function placeOf({ exchange, method, params }: MethodCall, entry: ReachableEntry): RequestStateScope {
  const { _meta, inputResponses: _responses, requestState: _state, ...asked } = params;
  return {
    principal: exchange.admission.principal,
    path: exchange.path.path,
    entryId: entry.id,
    // It is another one as soon as there is a credential.
    upstreamId: '',
    method: `${OWN} ${method}`,
    name: hash('sha256', canonicalJson(asked), 'base64url'),
  };
}
