import { CanActivate, ExecutionContext, Injectable, type Type } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Fault, ValidationError } from '../../errors/errors';
import { operationBodies, type OperationBody } from './body-rules';
import { readJson } from './json-body';
import { operationId } from '../openapi/openapi-operations';
import { OperationRules } from './operation-rules';
import type { Handler } from './parameters';
import type { TextChecks } from './text-checks';

/**
 * Validates path, query and body by the DTO classes and parameters that the handler declares (ADR 23). A guard and not
 * a pipe, because it must run after authentication (no body is read for an unauthenticated caller) and before existence
 * and permission, and because it reports the errors of all three at once (contract, sections 1 and 2).
 *
 * After it, `request.query` and `request.body` are instances of the handler's DTO classes and `request.params` holds
 * converted values; unknown query parameters are removed and documented defaults are filled in.
 */
@Injectable()
export class RequestGuard implements CanActivate {
  private readonly bodies: ReadonlyMap<string, OperationBody>;
  private readonly rules = new Map<unknown, OperationRules>();

  /** @param document for each body: whether it is optional, its media types and its size */
  constructor(
    document: OpenAPIObject,
    private readonly checks: TextChecks,
  ) {
    this.bodies = operationBodies(document);
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const rules = this.rulesOf(context.getClass(), context.getHandler() as Handler);
    const request = context.switchToHttp().getRequest<Request>();
    if (!rules.body) return this.check(request, rules);
    return this.readBody(request, context.switchToHttp().getResponse<Response>(), rules.body).then((faults) =>
      this.check(request, rules, faults),
    );
  }

  /** @returns the rules for the requests of a handler */
  rulesOf(controller: Type, handler: Handler): OperationRules {
    let rules = this.rules.get(handler);
    if (!rules) {
      const body = this.bodies.get(operationId(controller.name, handler.name));
      rules = new OperationRules(controller, handler, this.checks, body);
      this.rules.set(handler, rules);
    }
    return rules;
  }

  private async readBody(request: Request, response: Response, rules: OperationBody): Promise<Fault[]> {
    const { body, faults } = await readJson(request, response, rules);
    request.body = body;
    return faults;
  }

  private check(request: Request, rules: OperationRules, bodyFaults: Fault[] = []): true {
    const faults: Fault[] = [];
    request.params = rules.readPath(request.params, faults) as Request['params'];
    const query = rules.readQuery(request.url.includes('?') ? request.query : {}, faults);
    // Express 5 has a getter here that would parse the string again.
    Object.defineProperty(request, 'query', { value: query, configurable: true });
    faults.push(...bodyFaults);
    // Undefined: an unreadable body has been reported already.
    const hasBody = rules.body !== undefined && request.body !== undefined;
    if (hasBody) rules.checkBody(request.body, faults);
    if (faults.length > 0) throw new ValidationError(firstOfEachPlace(faults));
    if (hasBody) request.body = rules.bodyOf(request.body);
    return true;
  }
}

/** A value that is not a string is not also reported for not matching a pattern. */
export function firstOfEachPlace(faults: Fault[]): Fault[] {
  const places = new Set<string>();
  return faults.filter(({ loc }) => {
    const place = JSON.stringify(loc);
    return !places.has(place) && places.add(place);
  });
}
