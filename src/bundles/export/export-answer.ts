import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import { ShapesAnswer } from '../../http/answers/answer-shape';
import { BundleExportOut, McpServersConfigurationOut, VsCodeConfigurationOut } from './export.dto';

/** An export and what its headers say. */
export interface ExportAnswer {
  /** The configuration, or the report: an object is sent as JSON, a text is YAML. */
  body: object | string;
  skippedEntries: number;
  /** Undefined for a report. */
  fileName: string | undefined;
}

/** RFC 9512. */
const YAML_MEDIA_TYPE = 'application/yaml';

const BODIES = [VsCodeConfigurationOut, McpServersConfigurationOut, BundleExportOut];

/** 200 with the body of an `ExportAnswer`, and its headers. */
export function GivesExport(): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    ShapesAnswer<ExportAnswer>(({ body, skippedEntries, fileName }, _request, response) => {
      response.setHeader('X-Skipped-Entries', skippedEntries);
      if (fileName !== undefined) response.setHeader('Content-Disposition', `inline; filename="${fileName}"`);
      if (typeof body === 'string') response.type(YAML_MEDIA_TYPE);
      return body;
    }),
    ApiExtraModels(...BODIES),
    ApiOkResponse({
      description: 'The configuration, or with `format=report` the report.',
      content: {
        'application/json': { schema: { oneOf: BODIES.map((model) => ({ $ref: getSchemaPath(model) })) } },
        [YAML_MEDIA_TYPE]: { schema: { type: 'string', description: 'The file for `compose` and `kubernetes`.' } },
      },
      headers: {
        'X-Skipped-Entries': {
          description: 'How many entries were left out.',
          schema: { type: 'integer', minimum: 0 },
        },
        'Content-Disposition': { description: 'With the name of the file.', schema: { type: 'string' } },
      },
    }),
  );
}
