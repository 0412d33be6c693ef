import { ApiProperty } from '@nestjs/swagger';
import { EnumField, IdField, TextField } from '../../http/requests/fields';
import type { AskedQuestion } from '../export/asked-of-server';
import { EDITORS, type Editor } from '../export/export-client';
import { SKIP_REASONS, type SkipReason } from '../launch/skip';
import { LINK_ENCODINGS, type LinkEncoding, MAX_LINK_LENGTH } from './client-install';

/** How a page fills in what was typed: the same rule for the three places, each of which contains JSON. */
const FILLING =
  "Replace each placeholder of `inputs` by `JSON.stringify(value).slice(1, -1)`, with every character outside `[ -~]` and every one of `` %'!?~<>&` `` in that as `\\uXXXX` (one for each UTF-16 code unit), and all placeholders in one pass, since a value may look like one. A placeholder that is not replaced is for the client, which asks or reads its environment.";

export class ListingInstallQuery {
  @EnumField(EDITORS, { description: 'The program that shall use the server.' })
  client: Editor;

  @TextField({ max: 255, required: false, description: 'A version of the listing. The latest when it is left out.' })
  version?: string;
}

export class InstallLinkOut {
  @ApiProperty({ example: 'vscode:mcp/install?' })
  prefix: string;

  @ApiProperty({
    enum: LINK_ENCODINGS,
    description:
      'The link is `prefix + encodeURIComponent(content)` (`percent`), or `prefix + encodeURIComponent(btoa(content))` (`base64`), once the content is filled in.',
  })
  encoding: LinkEncoding;

  @ApiProperty({
    example: '{"name":"weather","type":"http","url":"https://weather.example.com/mcp"}',
    description: `JSON in printable ASCII without \`%\` and \`'\`. ${FILLING} Do not open a link of more than ${MAX_LINK_LENGTH.toLocaleString('en')} characters.`,
  })
  content: string;
}

export class InstallFileOut {
  @ApiProperty({
    example: '.vscode/mcp.json',
    description: 'Relative to the workspace, or to the folder of its settings.',
  })
  path: string;

  @ApiProperty({
    description: `The whole file, in JSON, as if it had only this server. ${FILLING}`,
    example: '{\n  "inputs": [],\n  "servers": {}\n}\n',
  })
  content: string;
}

export class InstallInputOut {
  @ApiProperty({ example: 'WEATHER_API_KEY', description: 'Its name in the server.' })
  name: string;

  @ApiProperty({ type: 'string', nullable: true })
  description: string | null;

  @ApiProperty({ description: 'Whether what is typed must not be seen.' })
  is_secret: boolean;

  @ApiProperty({ description: 'Whether the server needs a value.' })
  is_required: boolean;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: '${input:weather.WEATHER_API_KEY}',
    description:
      'What stands for the value, the same wherever it is needed. Null: it was left out, because the client cannot ask and the server needs no value.',
  })
  placeholder: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'What the `server.json` proposes.' })
  default: string | null;

  @ApiProperty({ type: [String], nullable: true, description: 'Null: any text.' })
  choices: string[] | null;
}

class InstallProblemOut {
  @ApiProperty({ enum: SKIP_REASONS })
  reason: SkipReason;

  @ApiProperty({ description: 'For a person; its wording may change.' })
  detail: string;
}

/** The ways to put something into a client. */
export class InstallWaysOut {
  @ApiProperty({
    description: 'Whether there is a file, and perhaps a link or a command. If not, `notes` may say what else to do.',
  })
  is_possible: boolean;

  @ApiProperty({
    type: InstallLinkOut,
    nullable: true,
    description: 'What opens the client, which asks before it adds the server.',
  })
  link: InstallLinkOut | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: `claude mcp add-json --scope user weather '{"type":"http","url":"https://weather.example.com/mcp"}'`,
    description: `One line for a POSIX shell. Of an editor: with JSON in printable ASCII between single quotes. ${FILLING} Of \`curl\`: the placeholder is between double quotes, so put a backslash before each of \`\` \\"$\` \`\` in the value; or leave it, and set the variable.`,
  })
  command: string | null;

  @ApiProperty({ type: InstallFileOut, nullable: true })
  file: InstallFileOut | null;

  @ApiProperty({
    type: [InstallInputOut],
    description:
      'The values that the user of the client has to provide. Toolyard neither knows them nor asks for them.',
  })
  inputs: InstallInputOut[];

  @ApiProperty({ type: [String], description: 'For a person, about all of this; their wording may change.' })
  notes: string[];
}

export class ListingInstallOut extends InstallWaysOut {
  @ApiProperty({ enum: EDITORS })
  client: Editor;

  @IdField()
  listing_id: string;

  @ApiProperty({ example: '1.4.0', description: 'The version of the listing.' })
  version: string;

  @ApiProperty({ example: 'weather', description: 'The name of the server in the client.' })
  key: string;

  @ApiProperty({ type: InstallProblemOut, nullable: true, description: 'Why it is not possible.' })
  problem: InstallProblemOut | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'npx -y @acme/weather@1.4.0',
    description:
      'The command line that the client will run on the machine of its user, quoted for a POSIX shell, so that each character can be seen. It contains the placeholders. Null: a remote server.',
  })
  runs: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'https://weather.example.com/mcp',
    description: 'The address of a remote server, with `{name}` for what has to be provided. Null for a local server.',
  })
  endpoint_url: string | null;
}

/** @param questions as the generator of a configuration asks them */
export function toInstallInputs(questions: readonly AskedQuestion[]): InstallInputOut[] {
  return questions.map(({ name, description = null, isSecret, isRequired, placeholder, choices, ...question }) => ({
    name,
    description,
    is_secret: isSecret,
    is_required: isRequired,
    placeholder,
    default: question.default ?? null,
    choices: choices.length > 0 ? [...choices] : null,
  }));
}
