import {
  applyDecorators,
  CallHandler,
  ExecutionContext,
  HttpCode,
  Injectable,
  NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import { map, Observable } from 'rxjs';
import { BundleExportOut, McpServersConfigurationOut, VsCodeConfigurationOut } from './export.dto';

/** An export and what its headers say. */
export interface ExportAnswer {
  /** The configuration, or the report. */
  body: object;
  skippedEntries: number;
  /** Undefined for a report. */
  fileName: string | undefined;
}

const BODIES = [VsCodeConfigurationOut, McpServersConfigurationOut, BundleExportOut];

@Injectable()
class ExportInterceptor implements NestInterceptor<ExportAnswer, object> {
  intercept(context: ExecutionContext, next: CallHandler<ExportAnswer>): Observable<object> {
    return next.handle().pipe(
      map(({ body, skippedEntries, fileName }) => {
        const response = context.switchToHttp().getResponse<Response>();
        response.setHeader('X-Skipped-Entries', skippedEntries);
        if (fileName !== undefined) response.setHeader('Content-Disposition', `inline; filename="${fileName}"`);
        return body;
      }),
    );
  }
}

/** 200 with the body of an `ExportAnswer`, and its headers. */
export function GivesExport(): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    UseInterceptors(ExportInterceptor),
    ApiExtraModels(...BODIES),
    ApiOkResponse({
      description: 'The configuration, or with `format=report` the report.',
      schema: { oneOf: BODIES.map((model) => ({ $ref: getSchemaPath(model) })) },
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
