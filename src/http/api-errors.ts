import { ApiExtension } from '@nestjs/swagger';
import { ErrorCode } from './errors';

const FAILS = 'toolyard:fails';

/** The extension of an operation that lists its error codes; `http/openapi.ts` makes responses of it. */
export const ERROR_CODES_EXTENSION = 'x-error-codes';

/**
 * Documents the error codes of an operation besides those that every operation has. May be given several times.
 */
export function Fails(...codes: ErrorCode[]): MethodDecorator {
  return (target, key, descriptor: PropertyDescriptor) => {
    const handler = descriptor.value as object;
    const all = [...new Set([...((Reflect.getMetadata(FAILS, handler) as ErrorCode[] | undefined) ?? []), ...codes])];
    Reflect.defineMetadata(FAILS, all, handler);
    ApiExtension(ERROR_CODES_EXTENSION, all)(target, key, descriptor);
  };
}
