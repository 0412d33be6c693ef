import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/client';
import { type CallFilter, narrowing } from './filter';
import { type CountedSlice, isPast, type Slice, slicesOf } from './slices';

const STATISTICS = 'GET /v1/bundles/{bundle_id}/calls/statistics';

/** The course of a period, slice by slice. */
export interface Course {
  slices: CountedSlice[];
  isComplete: boolean;
}

/**
 * Reads what was counted in each slice of the period, one after the other: the API counts one span of time at once. What
 * was counted of the past is kept.
 *
 * @param now the end of the period, in milliseconds
 */
export function useSlices(bundleId: string, filter: CallFilter, now: number) {
  const client = useQueryClient();
  return useQuery<Course>({
    queryKey: ['course of calls', bundleId, filter, now],
    queryFn: async ({ signal }) => {
      const course: Course = { slices: [], isComplete: true };
      for (const slice of slicesOf(filter.hours, now)) {
        const query = { ...narrowing(filter), by: 'outcome' as const, ...instantsOf(slice) };
        const { total, is_complete: isComplete } = await client.fetchQuery({
          queryKey: ['slice of calls', bundleId, query],
          queryFn: () => call(STATISTICS, { path: { bundle_id: bundleId }, query }, signal),
          staleTime: isPast(slice, now) ? Number.POSITIVE_INFINITY : 0,
        });
        course.slices.push({ ...slice, ...total });
        course.isComplete &&= isComplete;
      }
      return course;
    },
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (former) => former,
  });
}

const instantsOf = ({ from, to }: Slice) => ({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
