import { useChange } from '../../../api/queries';
import { notify } from '../../../ui/toasts';
import { ENDPOINT_READS } from './endpoint-route';
import { endpointWords, settingsWords } from './words';

/** Switches an endpoint on or off. */
export function useSwitch(endpointId: string) {
  const change = useChange('PATCH /v1/webhooks/{endpoint_id}', [
    ...ENDPOINT_READS,
    'GET /v1/webhooks/{endpoint_id}/deliveries',
  ]);
  const turn = (isActive: boolean, onDone?: () => void) =>
    change.mutate(
      { path: { endpoint_id: endpointId }, body: { is_active: isActive } },
      {
        onSuccess: () => {
          notify(isActive ? endpointWords.switchedOn : settingsWords.settings.switchedOff);
          onDone?.();
        },
      },
    );
  return { turn, isPending: change.isPending, error: change.error };
}
