import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { LIMIT_HEADERS } from '../http/openapi/openapi-errors';
import { FORM_TYPE } from '../http/requests/body-rules';

const HTML = { 'text/html': { schema: { type: 'string' as const } } };
const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds.', schema: { type: 'integer' as const, maximum: 86_400 } },
};
/** Any page can fail with these. */
const ALWAYS = [405, 429, 500, 503];

/** A field of a form. */
export interface FormField {
  description: string;
  /** By default true. */
  required?: boolean;
  maxLength?: number;
  /** A standard one. */
  format?: 'uri-reference' | 'uuid';
}

export interface PageRoute {
  summary: string;
  description?: string;
  /** Statuses besides 200, 303, 405, 429, 500 and 503; a form can always fail with 400, 403 and 413. */
  fails?: readonly number[];
  /** The fields of the form that it accepts; `Forms.read` reads them, and the handler checks them. */
  form?: Readonly<Record<string, FormField>>;
}

/**
 * Documents a route that answers with a page for people, and with pages in words for errors. The handler takes `@Req()`
 * and `@Res()`, and needs `@Access('open')` of its room: pages send people who are not signed in to `/sign-in`.
 */
export function ShowsPage({ summary, description, fails = [], form }: PageRoute): MethodDecorator {
  const failures = new Set([...ALWAYS, ...(form ? [400, 403, 413, 415] : []), ...fails]);
  return applyDecorators(
    ApiTags('Pages'),
    ApiOperation({ summary, description }),
    ...(form ? [ApiConsumes(FORM_TYPE), ApiBody({ required: true, schema: schemaOf(form) })] : []),
    ApiResponse({ status: 200, description: 'A page.', content: HTML }),
    ApiResponse({
      status: 303,
      description: 'Leads to another page.',
      headers: { Location: { description: 'Its address.', schema: { type: 'string', format: 'uri-reference' } } },
    }),
    ...Array.from(failures, (status) =>
      ApiResponse({
        status,
        description: 'A page that says what is wrong.',
        content: HTML,
        ...(status === 503 && { headers: RETRY_AFTER }),
        ...(status === 429 && { headers: LIMIT_HEADERS }),
      }),
    ),
  );
}

function schemaOf(form: Readonly<Record<string, FormField>>) {
  const fields: Record<string, FormField> = {
    ...form,
    csrf_token: { description: 'From the hidden field of the form.' },
  };
  return {
    type: 'object' as const,
    required: Object.keys(fields).filter((name) => fields[name]?.required ?? true),
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, { required: _, ...field }]) => [name, { type: 'string' as const, ...field }]),
    ),
  };
}
