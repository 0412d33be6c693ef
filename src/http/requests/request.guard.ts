import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Fault, ValidationError } from '../../errors/errors';
import { readJson } from './json-body';
import { operationId } from '../openapi/openapi-operations';
import { OperationRules, RequestSchemas } from './request-schemas';
import type { TextChecks } from './text-checks';

/**
 * Validates path, query and body against the OpenAPI document: what is documented is what is enforced. A guard and
 * not a pipe, because it has to come after authentication (no body is read for a stranger) and before existence and
 * permission, and because it reports the faults of all three at once (contract, sections 1 and 2).
 *
 * After it, `request.params`, `request.query` and `request.body` hold converted values; unknown query parameters are
 * gone and documented defaults are filled in.
 */
@Injectable()
export class RequestGuard implements CanActivate {
  private readonly schemas: RequestSchemas;
  private readonly rules = new Map<unknown, OperationRules>();

  constructor(document: OpenAPIObject, checks: TextChecks) {
    this.schemas = new RequestSchemas(document, checks);
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const rules = this.rulesOf(context);
    const request = context.switchToHttp().getRequest<Request>();
    if (!rules.takesBody) return this.check(request, rules);
    return this.readBody(request, context.switchToHttp().getResponse<Response>(), rules).then((faults) =>
      this.check(request, rules, faults),
    );
  }

  private rulesOf(context: ExecutionContext): OperationRules {
    const handler = context.getHandler();
    let rules = this.rules.get(handler);
    if (!rules) {
      rules = this.schemas.of(operationId(context.getClass().name, handler.name));
      this.rules.set(handler, rules);
    }
    return rules;
  }

  private async readBody(request: Request, response: Response, rules: OperationRules): Promise<Fault[]> {
    const { body, faults } = await readJson(request, response, rules.bodyRules);
    request.body = body;
    return faults;
  }

  private check(request: Request, rules: OperationRules, bodyFaults: Fault[] = []): true {
    const faults: Fault[] = [];
    request.params = rules.path(request.params, faults) as Request['params'];
    const query = rules.query(request.url.includes('?') ? request.query : {}, faults);
    // Express 5 has a getter here that would parse the string anew.
    Object.defineProperty(request, 'query', { value: query, configurable: true });
    faults.push(...bodyFaults);
    // Undefined: that it cannot be read was said already.
    if (rules.takesBody && request.body !== undefined) rules.body(request.body, faults);
    if (faults.length > 0) throw new ValidationError(firstOfEachPlace(faults));
    return true;
  }
}

/** A value that is no text at all is not told, too, that it matches no pattern. */
function firstOfEachPlace(faults: Fault[]): Fault[] {
  const places = new Set<string>();
  return faults.filter(({ loc }) => {
    const place = JSON.stringify(loc);
    return !places.has(place) && places.add(place);
  });
}
