import { ApiParam, ApiProperty, ApiPropertyOptions } from '@nestjs/swagger';

/** Fields that several nouns have, so that they are documented and checked in one way. */

export const SLUG_PATTERN = '^[a-z0-9]+(?:-[a-z0-9]+)*$';

/** An id in a body or answer. */
export function IdField(options: ApiPropertyOptions = {}): PropertyDecorator {
  return ApiProperty({ type: 'string', format: 'uuid', example: '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10', ...options });
}

/** An instant in an answer: RFC 3339, UTC, milliseconds. */
export function InstantField(options: ApiPropertyOptions = {}): PropertyDecorator {
  return (target, name) =>
    ApiProperty({ type: 'string', format: 'date-time', example: exampleInstant(String(name)), ...options })(
      target,
      name,
    );
}

/**
 * An example that is as good in ten years as today: what is to come lies far ahead, a span begins before it ends.
 *
 * @param name of the property
 */
function exampleInstant(name: string): string {
  if (/(^|_)(expires?|next)(_|$)/.test(name)) return '2099-12-31T23:59:59.000Z';
  return /^(from|since)$/.test(name) ? '2026-11-19T08:30:00.000Z' : '2026-11-20T08:30:00.000Z';
}

/** A name that a person gives: 1–200 characters, not only white space. */
export function NameField(options: ApiPropertyOptions = {}): PropertyDecorator {
  return ApiProperty({ type: 'string', minLength: 1, maxLength: 200, pattern: '\\S', ...options });
}

/** A slug that a caller chooses. */
export function SlugField(options: ApiPropertyOptions = {}): PropertyDecorator {
  const schema = { type: 'string', minLength: 1, maxLength: 60, pattern: SLUG_PATTERN, example: 'acme-tools' } as const;
  return ApiProperty({ ...schema, ...options });
}

/** A UUID in the path. */
export function IdParam(name: string, description: string): MethodDecorator {
  return ApiParam({ name, description, schema: { type: 'string', format: 'uuid' } });
}
