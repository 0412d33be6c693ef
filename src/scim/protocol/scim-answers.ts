import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../config/environment';
import { type LoggedAnswer, ScimLog } from '../log/scim-log.service';
import { jsonInTurns } from './json-in-turns';
import { exchangeOf } from './scim-exchange';
import { ScimGate } from './scim-gate';
import { resourceAddress, scimBase } from './scim-address';
import type { ReadResource, Removed, Written } from './scim-resource';
import type { BulkAnswer } from './bulk/scim-bulk.service';
import type { ResourceType } from './schema/attribute';

export const SCIM_MEDIA_TYPE = 'application/scim+json';

/** A response, and what the provisioning log keeps of it. */
export interface ScimAnswer extends LoggedAnswer {
  /** Undefined: none. */
  body?: object;
  headers?: Record<string, string>;
  /** Whether the provisioning log has it already. */
  isLogged?: boolean;
}

/**
 * Sends the responses of the protocol (RFC 7644, section 3). Each is in the provisioning log before it is sent:
 * everything that a client was told can be read there, and if the log cannot be written, the client is told to try
 * again.
 */
@Injectable()
export class ScimAnswers {
  constructor(
    private readonly gate: ScimGate,
    private readonly log: ScimLog,
    private readonly environment: Environment,
  ) {}

  /** 201 with the new resource (RFC 7644, section 3.3). */
  async created(response: Response, creation: Promise<Written>): Promise<void> {
    const { id, location, version, resource, isLogged } = await creation;
    const headers = { ETag: version, Location: location, 'Content-Location': location };
    await this.send(response, { status: 201, body: resource, headers, resourceId: id, isLogged });
  }

  /** 200 with the current resource, or 204 if no attributes were requested (RFC 7644, sections 3.5.1 and 3.5.2). */
  async written(response: Response, done: Promise<Written>): Promise<void> {
    const { location, version, resource, isLogged } = await done;
    const headers: Record<string, string> = { ETag: version, Location: location };
    if (resource) headers['Content-Location'] = location;
    await this.send(response, { status: resource ? 200 : 204, body: resource, headers, isLogged });
  }

  /** 200 with the resource, or 304 if the client has this version (RFC 7644, sections 3.4.1 and 3.14). */
  async fetched(response: Response, type: ResourceType, reading: Promise<ReadResource>): Promise<void> {
    const { version, resource } = await reading;
    const headers: Record<string, string> = { ETag: version };
    if (resource) {
      const base = scimBase(this.environment.publicUrl, exchangeOf(response.req as Request).client.orgId);
      headers.Location = headers['Content-Location'] = resourceAddress(base, type, resource.id);
    }
    await this.send(response, { status: resource ? 200 : 304, body: resource, headers });
  }

  /** 200 with any body. */
  async given(response: Response, body: object | Promise<object>): Promise<void> {
    await this.send(response, { status: 200, body: await body });
  }

  /** 200 with the outcomes of the operations, each of which has a log entry of its own (RFC 7644, section 3.7). */
  async bulk(response: Response, done: Promise<BulkAnswer>): Promise<void> {
    const { body, operations } = await done;
    await this.send(response, { status: 200, body, operations });
  }

  /** 204 (RFC 7644, section 3.6). */
  async nothing(response: Response, done: Promise<Removed>): Promise<void> {
    const { isLogged } = await done;
    await this.send(response, { status: 204, isLogged });
  }

  /**
   * @throws AuthenticationError for a token that was remembered and has been revoked; what the database throws if the
   *   provisioning log cannot be written; then nothing was sent
   */
  async send(response: Response, answer: ScimAnswer): Promise<void> {
    const request = response.req as Request;
    await this.gate.confirm(request);
    const { scim } = request;
    if (scim && !scim.isLogged) {
      scim.isLogged = true;
      if (!answer.isLogged) await this.log.write(scim.client, answer);
    }
    const { status, body, headers = {} } = answer;
    response.statusCode = status;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    // Personal data from the directory must not be stored by shared caches.
    response.setHeader('Cache-Control', 'private, no-cache');
    if (!body) {
      response.end();
      return;
    }
    const bytes = Buffer.from(await jsonInTurns(body));
    response.setHeader('Content-Type', `${SCIM_MEDIA_TYPE}; charset=utf-8`);
    response.setHeader('Content-Length', bytes.length);
    response.end(bytes);
  }
}
