/** An argument of a tool, or of a prompt. */
export interface ToolArgument {
  name: string;
  type: string | undefined;
  description: string | undefined;
  isRequired: boolean;
}

/** Of a schema with more of them, the rest is left out. */
const MAX_ARGUMENTS = 200;

/** @returns what a definition of MCP takes: of a tool by its schema, of a prompt by its list; the required ones first */
export function argumentsOf(definition: unknown): ToolArgument[] {
  const record = isRecord(definition) ? definition : {};
  const { inputSchema, arguments: listed } = record;
  const found = Array.isArray(listed) ? listed.filter(isRecord).map(ofPrompt) : ofSchema(inputSchema);
  return found
    .filter(({ name }) => name !== '')
    .sort((one, other) => Number(other.isRequired) - Number(one.isRequired))
    .slice(0, MAX_ARGUMENTS);
}

function ofPrompt(argument: Record<string, unknown>): ToolArgument {
  return {
    name: text(argument['name']) ?? '',
    type: undefined,
    description: text(argument['description']),
    isRequired: argument['required'] === true,
  };
}

function ofSchema(schema: unknown): ToolArgument[] {
  if (!isRecord(schema)) return [];
  const { properties, required } = schema;
  if (!isRecord(properties)) return [];
  const names: unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    type: isRecord(property) ? typeOf(property) : undefined,
    description: isRecord(property) ? text(property['description']) : undefined,
    isRequired: names.includes(name),
  }));
}

function typeOf({ type, enum: values }: Record<string, unknown>): string | undefined {
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(type)) return type.filter((one) => typeof one === 'string').join(' | ');
  return text(type);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
