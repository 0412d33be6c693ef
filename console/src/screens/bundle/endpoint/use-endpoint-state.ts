import { useEffect, useRef, useState } from 'react';
import { useRead } from '../../../api/queries';
import type { Bundle } from '../../../api/schema';
import { isUnderWay } from './problem-mends';

/** How often the state is read while a server is being asked. */
const POLL_MS = 3_000;

/**
 * The report, for editors, and the state of the servers. The report has that state, too, so it is read by itself only for others
 * and while a server is being asked; the report is read again when that ends.
 */
export function useEndpointState(bundle: Bundle) {
  const parts = { path: { bundle_id: bundle.id } };
  const [isWatching, setWatching] = useState(false);
  const report = useRead('POST /v1/bundles/{bundle_id}/compile', parts, { enabled: bundle.may_modify });
  const status = useRead('GET /v1/bundles/{bundle_id}/endpoint/status', parts, {
    enabled: !bundle.may_modify || isWatching,
    ...(isWatching && { pollEvery: POLL_MS }),
  });
  const isNewer = status.data !== undefined && (!report.data || status.dataUpdatedAt > report.dataUpdatedAt);
  const entries = (isNewer ? status.data : report.data)?.entries;
  const underWay = entries !== undefined && isUnderWay(entries);
  if (underWay !== isWatching) setWatching(underWay);

  const wasUnderWay = useRef(false);
  const { refetch } = report;
  useEffect(() => {
    if (wasUnderWay.current && !underWay && bundle.may_modify) void refetch();
    wasUnderWay.current = underWay;
  }, [underWay, refetch, bundle.may_modify]);

  return { report, status, entries };
}
