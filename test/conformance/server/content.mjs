import { Buffer } from 'node:buffer';

const text = (value) => ({ type: 'text', text: value });
const fromUser = (content) => ({ role: 'user', content });

/** One white pixel. */
const PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const PIXEL_TYPE = 'image/gif';

export const IMAGE = { type: 'image', data: PIXEL, mimeType: PIXEL_TYPE };
export const SOUND = { type: 'audio', data: silence().toString('base64'), mimeType: 'audio/wav' };

/** A second of nothing would be 8,000 bytes; this has no sample at all. */
function silence() {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36, 4);
  header.write('WAVEfmt ', 8);
  // PCM, one channel, 8,000 samples a second of one byte each.
  for (const [at, value] of [
    [16, 16],
    [24, 8_000],
    [28, 8_000],
  ])
    header.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ])
    header.writeUInt16LE(value, at);
  header.write('data', 36);
  return header;
}

const string = (description) => ({ description, required: true });

/** What the scenarios expect of prompts. */
export const PROMPTS = new Map(
  [
    {
      name: 'test_simple_prompt',
      description: 'Has no arguments.',
      get: () => [fromUser(text('This is a simple prompt for testing.'))],
    },
    {
      name: 'test_prompt_with_arguments',
      description: 'Says its arguments.',
      arguments: [
        { name: 'arg1', ...string('The first one') },
        { name: 'arg2', ...string('The second one') },
      ],
      get: ({ arg1, arg2 }) => [fromUser(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    },
    {
      name: 'test_prompt_with_embedded_resource',
      description: 'Has a resource in it.',
      arguments: [{ name: 'resourceUri', ...string('Its address') }],
      get: ({ resourceUri }) => [
        fromUser({
          type: 'resource',
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        }),
        fromUser(text('Please process the embedded resource above.')),
      ],
    },
    {
      name: 'test_prompt_with_image',
      description: 'Has an image in it.',
      get: () => [fromUser(IMAGE), fromUser(text('Please analyze the image above.'))],
    },
    {
      name: 'test_input_required_result_prompt',
      description: 'Asks for its context.',
      asks: { user_context: 'What context should the prompt use?' },
      get: (_args, { user_context }) => [fromUser(text(`With ${JSON.stringify(user_context?.content ?? {})}.`))],
    },
  ].map((prompt) => [prompt.name, prompt]),
);

/** In the order in which they are listed. */
export const RESOURCES = [
  { uri: 'test://static-text', name: 'A text', mimeType: 'text/plain', description: 'Never changes.' },
  { uri: 'test://static-binary', name: 'An image', mimeType: PIXEL_TYPE, description: 'Never changes.' },
  { uri: 'test://watched-resource', name: 'Watched', mimeType: 'text/plain', description: 'Says when it changes.' },
];

export const TEMPLATES = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'Data of an id',
    mimeType: 'application/json',
    description: 'Says its id.',
  },
];

/** @returns the content of a resource; undefined: it does not exist */
export function contentOf(uri) {
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  if (id !== undefined) {
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { uri, mimeType: 'application/json', text: data };
  }
  const resource = RESOURCES.find((each) => each.uri === uri);
  if (!resource) return undefined;
  const { mimeType } = resource;
  return mimeType === PIXEL_TYPE ? { uri, mimeType, blob: PIXEL } : { uri, mimeType, text: `The content of ${uri}.` };
}
