import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import { ShapesAnswer } from '../../http/answers/answer-shape';
import { LINK_HEADER, rowsOf } from '../../http/answers/answers';
import { BYTE_ORDER_MARK, csvLine } from '../../http/answers/csv';
import { sendStreamed } from '../../http/answers/streamed-answer';
import { AuditEntryOut } from './audit-entry.dto';

/** RFC 4180. */
const CSV_MEDIA_TYPE = 'text/csv';

type Cell = Parameters<typeof csvLine>[0][number];

/** The columns of the file. */
const COLUMNS: readonly (readonly [title: string, of: (entry: AuditEntryOut) => Cell])[] = [
  ['id', ({ id }) => id],
  ['created_at', ({ created_at }) => created_at],
  ['action', ({ action }) => action],
  ['actor_type', ({ actor }) => actor.type],
  ['actor_id', ({ actor }) => actor.id],
  ['actor_name', ({ actor }) => actor.name],
  ['actor_email', ({ actor }) => actor.email],
  ['subject_type', ({ subject_type }) => subject_type],
  ['subject_id', ({ subject_id }) => subject_id],
  ['subject_name', ({ subject_name }) => subject_name],
  ['before', ({ before }) => before],
  ['after', ({ after }) => after],
  ['reason', ({ reason }) => reason],
  ['details', ({ details }) => details],
  ['request_id', ({ request_id }) => request_id],
];

/** 200 with a page of the log, or the file. */
export function GivesAuditLog(): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    ShapesAnswer(rowsOf),
    ApiExtraModels(AuditEntryOut),
    ApiOkResponse({
      description: 'One page; with `format=csv` a file.',
      content: {
        'application/json': { schema: { type: 'array', items: { $ref: getSchemaPath(AuditEntryOut) } } },
        [CSV_MEDIA_TYPE]: {
          schema: {
            type: 'string',
            description:
              'RFC 4180 in UTF-8 with a byte order mark. The first line has the names of the columns; `before`, `after` and `details` are JSON. A cell that a spreadsheet would take for a formula has an apostrophe before it.',
          },
        },
      },
      headers: {
        Link: LINK_HEADER,
        'Content-Disposition': {
          description: 'The name of the file. It ends with `-more-follows.csv` if older changes are left out.',
          schema: { type: 'string' },
        },
      },
    }),
  );
}

/**
 * Sends the file.
 *
 * @param chunks its entries
 * @param name without what it ends with
 * @param isCut whether older entries are left out; the name says so, because headers are lost when a file is kept
 */
export function sendAuditFile(
  response: Response,
  chunks: AsyncIterable<AuditEntryOut[]>,
  { name, isCut }: { name: string; isCut: boolean },
): Promise<void> {
  response.statusCode = 200;
  response.setHeader('Content-Type', `${CSV_MEDIA_TYPE}; charset=utf-8; header=present`);
  response.setHeader('Content-Disposition', `attachment; filename="${name}${isCut ? '-more-follows' : ''}.csv"`);
  response.setHeader('Cache-Control', 'no-store');
  return sendStreamed(response, linesOf(chunks));
}

async function* linesOf(chunks: AsyncIterable<AuditEntryOut[]>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(COLUMNS.map(([title]) => title));
  for await (const chunk of chunks) {
    yield chunk.map((entry) => csvLine(COLUMNS.map(([, of]) => of(entry)))).join('');
  }
}
