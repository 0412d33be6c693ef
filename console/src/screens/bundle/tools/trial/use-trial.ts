import { useRef, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { type Answer, call } from '../../../../api/client';

export type Trial = Answer<'POST /v1/bundles/{bundle_id}/tools/{tool_id}/call'>;

/** Calls a tool once, until it answers or a person stops it. */
export function useTrial(bundleId: string, toolId: string) {
  const running = useRef<AbortController>(undefined);
  const [isStopped, setStopped] = useState(false);
  const change = useMutation({
    mutationFn: async (values: Record<string, unknown>) => {
      const begun = performance.now();
      const path = { bundle_id: bundleId, tool_id: toolId };
      const answer = await call(
        'POST /v1/bundles/{bundle_id}/tools/{tool_id}/call',
        { path, body: { arguments: values } },
        running.current?.signal,
      );
      return { answer, tookMs: performance.now() - begun };
    },
  });
  return {
    isRunning: change.isPending,
    isStopped,
    answer: change.data?.answer,
    tookMs: change.data?.tookMs ?? 0,
    error: isStopped ? null : change.error,
    run: (values: Record<string, unknown>) => {
      running.current = new AbortController();
      setStopped(false);
      change.mutate(values);
    },
    /** The server cancels the call when its connection is closed. */
    stop: () => {
      setStopped(true);
      running.current?.abort();
    },
  };
}
