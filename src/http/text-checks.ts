import { Injectable } from '@nestjs/common';
import type { Fault } from './errors';
import { InstantFilterSyntaxError, parseInstantFilter } from './instant-filter';

/** Says what is wrong with a text, or nothing. */
export type TextCheck = (text: string) => Omit<Fault, 'loc'> | undefined;

/**
 * Rules for texts that JSON Schema cannot say. Each is a `format` of the OpenAPI document, so that its faults are
 * found together with all others; the module that knows the rule registers it when it is made.
 */
@Injectable()
export class TextChecks {
  private readonly checks = new Map<string, TextCheck>([['fhir-date-search', instantFilterFault]]);

  /** @param format the name by which the document refers to the rule */
  register(format: string, check: TextCheck): void {
    this.checks.set(format, check);
  }

  get(format: string): TextCheck | undefined {
    return this.checks.get(format);
  }

  formats(): string[] {
    return [...this.checks.keys()];
  }
}

function instantFilterFault(text: string): Omit<Fault, 'loc'> | undefined {
  try {
    parseInstantFilter(text, new Date());
    return undefined;
  } catch (error) {
    if (!(error instanceof InstantFilterSyntaxError)) throw error;
    return { msg: error.message, type: 'datetime_parsing' };
  }
}
