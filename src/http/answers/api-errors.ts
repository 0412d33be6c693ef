import { ApiExtension } from '@nestjs/swagger';
import type { ErrorCode } from '../../errors/errors';

const USES = 'toolyard:uses-of-fails';

/** The extension that lists the error codes of an operation; `http/openapi/openapi.ts` turns them into responses. */
export const ERROR_CODES_EXTENSION = 'x-error-codes';

/**
 * Documents the error codes of an operation besides those that every operation has. Can be used several times: since
 * Swagger keeps only the first value of an extension, each use has its own until `takeErrorCodes`.
 */
export function Fails(...codes: ErrorCode[]): MethodDecorator {
  return (target, key, descriptor: PropertyDescriptor) => {
    const handler = descriptor.value as object;
    const uses = (Reflect.getMetadata(USES, handler) as number | undefined) ?? 0;
    Reflect.defineMetadata(USES, uses + 1, handler);
    ApiExtension(`${ERROR_CODES_EXTENSION}-${uses}`, codes)(target, key, descriptor);
  };
}

/**
 * Removes what all uses of `Fails` left on an operation of the document.
 *
 * @returns each code once
 */
export function takeErrorCodes(operation: object): ErrorCode[] {
  const extensions = operation as Record<string, ErrorCode[]>;
  const names = Object.keys(extensions).filter((name) => name.startsWith(`${ERROR_CODES_EXTENSION}-`));
  const codes = names.flatMap((name) => extensions[name] ?? []);
  for (const name of names) delete extensions[name];
  return [...new Map(codes.map((declared) => [declared.code, declared])).values()];
}
