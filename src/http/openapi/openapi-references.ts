import type { OpenAPIObject } from '@nestjs/swagger';

interface Reference {
  $ref: string;
}

/** Follows the `$ref`s of an OpenAPI document into its own components. */
export class References {
  private readonly components: Readonly<Record<string, Readonly<Record<string, object>> | undefined>>;

  constructor(document: Pick<OpenAPIObject, 'components'>) {
    this.components = (document.components ?? {}) as Record<string, Record<string, object>>;
  }

  /**
   * @param part a parameter, response, header, body, example or schema, or a reference to one
   * @returns the part itself; anything beside a `$ref` is ignored
   * @throws Error for a reference to something that is not in the document
   */
  resolve<T extends object>(part: T | Reference): T {
    if (!isReference(part)) return part;
    const [, kind = '', name = ''] = /^#\/components\/(\w+)\/([\w.-]+)$/.exec(part.$ref) ?? [];
    const component = this.components[kind]?.[name];
    if (!component) throw new Error(`${part.$ref} is not in the OpenAPI document.`);
    return this.resolve<T>(component as T);
  }
}

function isReference(part: object): part is Reference {
  return '$ref' in part && typeof part.$ref === 'string';
}
