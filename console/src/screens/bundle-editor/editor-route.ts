import { getRouteApi } from '@tanstack/react-router';

/** The address of the editor of a bundle, for its parts. */
export const editorRoute = getRouteApi('/bundles/$bundleId/edit');
