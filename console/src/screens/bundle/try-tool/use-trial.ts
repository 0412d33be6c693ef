import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '../../../api/client';
import type { ApiProblem } from '../../../api/problem';
import type { BundleToolAnswer } from '../../../api/schema';

interface Trial {
  answer: BundleToolAnswer;
  /** In milliseconds. */
  took: number;
}

/** Runs a tool, as long as it takes, and can be cancelled. It is never repeated by itself. */
export function useTrial(bundleId: string, toolId: string) {
  const [isCancelled, setCancelled] = useState(false);
  const running = useRef<AbortController>(null);
  const trial = useMutation<Trial, ApiProblem, Record<string, unknown>>({
    mutationFn: async (values) => {
      running.current = new AbortController();
      const began = performance.now();
      const path = { bundle_id: bundleId, tool_id: toolId };
      const answer = await call(
        'POST /v1/bundles/{bundle_id}/tools/{tool_id}/call',
        { path, body: { arguments: values } },
        running.current.signal,
      );
      return { answer, took: performance.now() - began };
    },
  });
  return {
    data: isCancelled ? undefined : trial.data,
    error: isCancelled ? null : trial.error,
    isPending: trial.isPending,
    isCancelled,
    run: (values: Record<string, unknown>) => {
      setCancelled(false);
      trial.mutate(values);
    },
    cancel: () => {
      setCancelled(true);
      running.current?.abort();
    },
  };
}
