import { DECLARED } from './app.module';
import { httpStatus } from './http/answers/error-status';
import { errorResponse, errorSchemas } from './http/openapi/openapi-errors';

/** The families of section 2 of the contract, and those for errors of HTTP itself. */
const FAMILIES: [RegExp, number][] = [
  [/^bad_request$/, 400],
  [/^(authentication_required|invalid_token)$/, 401],
  [/^(insufficient_(role|scope)|forbidden|namespace_required|recent_sign_in_required)$/, 403],
  [/^([a-z_]+_)?not_found$/, 404],
  [/^method_not_allowed$/, 405],
  [/^([a-z_]+_conflict|last_owner|confirmation_required)$/, 409],
  [/^request_timeout$/, 408],
  [/^payload_too_large$/, 413],
  [/^unsupported_media_type$/, 415],
  [/^rate_limited$/, 429],
  [/^headers_too_large$/, 431],
  [/^internal_error$/, 500],
  [/^not_implemented$/, 501],
  [/^(service|authorization_server)_unavailable$/, 503],
];

interface Schemas {
  Error: { properties: { code: { enum: string[] } } };
  ValidationErrors: { properties: { detail: { items: { properties: { type: { enum: string[] } } } } } };
}

describe('Error codes', () => {
  const schemas = errorSchemas(DECLARED.errors) as unknown as Schemas;
  const codes = DECLARED.errors.map(({ code }) => code);

  it.each(DECLARED.errors)('have the status of their family and are documented: $code', (declared) => {
    const { code } = declared;
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    const families = FAMILIES.filter(([pattern]) => pattern.test(code));
    expect(families).toHaveLength(1);
    expect(httpStatus(declared)).toBe(families[0]?.[1]);
    expect(schemas.Error.properties.code.enum).toContain(code);
    expect(errorResponse(String(httpStatus(declared)), [declared]).description).toContain(`\`${code}\``);
  });

  it('are each declared once', () => {
    expect(new Set(codes).size).toBe(codes.length);
    expect(schemas.Error.properties.code.enum).toEqual(codes);
  });

  it('do not overlap with the validation error types, which are those of the contract', () => {
    const types = schemas.ValidationErrors.properties.detail.items.properties.type.enum;
    expect(types.join(' ')).toBe(
      'missing extra_forbidden uuid_parsing bool_parsing bool_type int_parsing string_type string_too_short ' +
        'string_too_long list_type dict_type enum url_parsing url_scheme datetime_parsing json_invalid value_error ' +
        'greater_than_equal less_than_equal',
    );
    expect(types.filter((type) => codes.includes(type))).toEqual([]);
  });
});
