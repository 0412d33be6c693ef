import { getRouteApi } from '@tanstack/react-router';

/** The address of the screen of a server, for its parts. */
export const serverRoute = getRouteApi('/servers/$listingId');

export const SERVER_TABS = ['about', 'tools', 'versions', 'packages', 'document', 'bundles', 'reviews'] as const;
export type ServerTab = (typeof SERVER_TABS)[number];
