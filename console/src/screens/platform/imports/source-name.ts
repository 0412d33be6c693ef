import { shown } from '../../../ui/other-text';
import { importWords as words } from './words';

/** @returns how a person knows a source: by its address, or as a file */
export const sourceName = (source: string): string => (source === 'file' ? words.runs.file : shown(source));
