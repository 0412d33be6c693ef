import { applyDecorators, type Type } from '@nestjs/common';
import { ApiParam, ApiQuery } from '@nestjs/swagger';
import { MayBeAbsent } from './constraints';
import type { Kind } from './kinds';

/**
 * Parameters declared at the handler: those of the path, and query parameters that are not in a DTO class. They become
 * the fields of a class that only the request guard sees.
 */

const PATH = 'toolyard:path-parameters';
const QUERY = 'toolyard:query-parameters';

/** A method of a controller. */
export type Handler = (...args: never[]) => unknown;

/** A path parameter. */
export function PathParam(name: string, kind: Kind, description: string, example?: string): MethodDecorator {
  const schema = { ...kind.schema, ...(example === undefined ? {} : { example }) };
  return applyDecorators(ApiParam({ name, description, schema }), declare(PATH, name, kind.checks(false)));
}

/**
 * An optional query parameter that is not in a DTO class.
 *
 * @param fallback its default
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

/** @returns the class whose fields are the declared path parameters */
export function pathParameters(handler: Handler): Type | undefined {
  return Reflect.getMetadata(PATH, handler) as Type | undefined;
}

/** @returns the class whose fields are the query parameters declared at the handler */
export function queryParameters(handler: Handler): Type | undefined {
  return Reflect.getMetadata(QUERY, handler) as Type | undefined;
}

function declare(place: string, name: string, checks: PropertyDecorator[]): MethodDecorator {
  return (_target, _property, descriptor) => {
    const handler = descriptor.value as Handler;
    const declared = Reflect.getMetadata(place, handler) as Type | undefined;
    const parameters = declared ?? class Parameters {};
    if (!declared) Reflect.defineMetadata(place, parameters, handler);
    for (const check of checks) check(parameters.prototype as object, name);
  };
}
