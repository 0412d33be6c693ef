import type { SyncPreview } from '../../../api/schema';

/** In the order in which people care. */
export const KINDS = ['removed', 'demoted', 'promoted', 'joined', 'retained'] as const;

export type Counts = Pick<SyncPreview, (typeof KINDS)[number] | 'unchanged'>;

/** @returns how many people get another role */
export const totalOf = (counts: Counts): number => KINDS.reduce((sum, kind) => sum + counts[kind], 0);

/** @returns how many people lose a role or all access */
export const lostBy = ({ demoted, removed }: Counts): number => demoted + removed;
