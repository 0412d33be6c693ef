import { applyDecorators, type Type } from '@nestjs/common';
import { ApiParam, ApiQuery } from '@nestjs/swagger';
import { MayBeAbsent } from './constraints';
import type { Kind } from './kinds';

/**
 * Parameters that are declared at the handler: those of the path, and those of the query that are of no DTO class. They
 * become the fields of a class that only the request guard sees.
 */

const PATH = 'toolyard:path-parameters';
const QUERY = 'toolyard:query-parameters';

/** A method of a controller. */
export type Handler = (...args: never[]) => unknown;

/** A parameter in the path. */
export function PathParam(name: string, kind: Kind, description: string, example?: string): MethodDecorator {
  const schema = { ...kind.schema, ...(example === undefined ? {} : { example }) };
  return applyDecorators(ApiParam({ name, description, schema }), declare(PATH, name, kind.checks(false)));
}

/**
 * A parameter of the query that no DTO class has; it may be left out.
 *
 * @param fallback what it is then
 */
export function QueryParam(
  name: string,
  kind: Kind,
  { description, fallback }: { description: string; fallback?: unknown },
): MethodDecorator {
  const schema = { ...kind.schema, ...(fallback === undefined ? {} : { default: fallback }) };
  return applyDecorators(
    ApiQuery({ name, required: false, schema, description }),
    declare(QUERY, name, [MayBeAbsent(fallback), ...kind.checks(false)]),
  );
}

/** @returns the class whose fields are the declared parameters of the path */
export function pathParameters(handler: Handler): Type | undefined {
  return Reflect.getMetadata(PATH, handler) as Type | undefined;
}

/** @returns the class whose fields are the parameters of the query that are declared at the handler */
export function queryParameters(handler: Handler): Type | undefined {
  return Reflect.getMetadata(QUERY, handler) as Type | undefined;
}

function declare(place: string, name: string, checks: PropertyDecorator[]): MethodDecorator {
  return (_target, _property, descriptor) => {
    const handler = descriptor.value as Handler;
    const known = Reflect.getMetadata(place, handler) as Type | undefined;
    const parameters = known ?? class Parameters {};
    if (!known) Reflect.defineMetadata(place, parameters, handler);
    for (const check of checks) check(parameters.prototype as object, name);
  };
}
