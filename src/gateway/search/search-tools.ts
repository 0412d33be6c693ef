import type { JsonObject } from '../protocol/json-rpc';

/** By which clients find, read and call tools that no list shows. */
export const SEARCH_TOOLS = ['find_tools', 'describe_tools', 'call_tool'] as const;
export type SearchTool = (typeof SEARCH_TOOLS)[number];

/** `find_tools` has these limits: characters of the query, tools, and tools where the caller gives no limit. */
export const FIND_LIMITS = { query: 1_024, tools: 50, unasked: 10 } as const;
/** `describe_tools` describes at most so many tools. */
export const MAX_DESCRIBED = 20;

/** @returns whether it is the name of one of them */
export function isSearchTool(name: unknown): name is SearchTool {
  return SEARCH_TOOLS.some((tool) => tool === name);
}

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** Their definitions, in the order in which clients get them. The texts are for models. */
const DEFINITIONS: Readonly<Record<SearchTool, JsonObject>> = {
  find_tools: {
    title: 'Find tools',
    description:
      'Searches the tools that you can use here. They are not in the list of tools; only this finds them. Say in a few words what you want to do. Returns the best matches: name, title and the beginning of the description. Next: describe_tools for how to call them.',
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          maxLength: FIND_LIMITS.query,
          description: 'Words for what you want to do, such as "create issue". Empty: the first tools.',
        },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: FIND_LIMITS.tools,
          default: FIND_LIMITS.unasked,
          description: 'How many tools at most.',
        },
      },
      required: ['query'],
    },
    annotations: READS,
  },
  describe_tools: {
    title: 'Describe tools',
    description:
      'Gives the whole definitions of tools that find_tools has found: what they do, and the schema of their arguments. Read it before you call one.',
    inputSchema: {
      type: 'object',
      properties: {
        names: {
          type: 'array',
          items: { type: 'string' },
          minItems: 1,
          maxItems: MAX_DESCRIBED,
          description: 'Names exactly as find_tools gives them.',
        },
      },
      required: ['names'],
    },
    annotations: READS,
  },
  call_tool: {
    title: 'Call a tool',
    description: 'Calls a tool that find_tools has found, with arguments that fit its schema (describe_tools).',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name exactly as find_tools gives it.' },
        arguments: { type: 'object', description: 'What the tool is called with. Absent: nothing.' },
      },
      required: ['name'],
    },
    // What it does depends on the tool that it calls, so the defaults of the specification hold.
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  },
};

/** As clients get them, each as JSON. */
export const SEARCH_DEFINITIONS: readonly string[] = SEARCH_TOOLS.map((name) =>
  JSON.stringify({ name, ...DEFINITIONS[name] }),
);
