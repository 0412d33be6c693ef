import type { OpenAPIObject } from '@nestjs/swagger';
import { type Operation as DocumentedOperation, operationsOf } from '../openapi/openapi-walk';
import type { BodyRules } from './json-body';

/** The extension of an operation whose body limit is not 1 MiB; bytes. */
export const BODY_LIMIT_EXTENSION = 'x-body-limit';

/** The extension of an operation whose body may have a number of values other than 10,000. */
export const VALUE_LIMIT_EXTENSION = 'x-value-limit';

/** The extension of an operation whose body is checked by its external specification, with errors of its own. */
export const BODY_CHECK_EXTENSION = 'x-body-checked-by';

/** The extension that lists the media types of an operation's body if it does not accept JSON of any kind. */
export const BODY_TYPES_EXTENSION = 'x-body-types';

/** The media type of a form of a page, which its handler reads itself. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The extension of an operation that a gate answers before the routes: it says which specification has the rules. */
export const GATE_EXTENSION = 'x-answered-as-in';

interface Operation extends DocumentedOperation {
  [GATE_EXTENSION]?: string;
  [BODY_LIMIT_EXTENSION]?: number;
  [VALUE_LIMIT_EXTENSION]?: number;
  [BODY_CHECK_EXTENSION]?: string;
  [BODY_TYPES_EXTENSION]?: string[];
}

/** What an operation declares about its body as a whole. */
export interface OperationBody extends BodyRules {
  /** Whether the request guard only checks that it is an object. */
  isCheckedElsewhere: boolean;
}

/**
 * @returns the body rules of the document by operation id; operations without a body, with a form, or that a gate
 *   answers, are left out
 */
export function operationBodies(document: OpenAPIObject): Map<string, OperationBody> {
  return new Map(
    operationsOf<Operation>(document)
      .filter(({ operation: { requestBody } }) => requestBody !== undefined && !(FORM_TYPE in requestBody.content))
      .filter(({ operation }) => operation[GATE_EXTENSION] === undefined)
      .map(({ operation }) => [
        operation.operationId,
        {
          isOptional: operation.requestBody?.required === false,
          mediaTypes: operation[BODY_TYPES_EXTENSION],
          limit: operation[BODY_LIMIT_EXTENSION],
          valueLimit: operation[VALUE_LIMIT_EXTENSION],
          isCheckedElsewhere: operation[BODY_CHECK_EXTENSION] !== undefined,
        },
      ]),
  );
}
