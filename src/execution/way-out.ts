// What leads out of a halt, as people read it.

import { RESUME } from "../risk/standing.ts";

export const ADOPT = `pegbot adopt, then ${RESUME}`;
export const DOCTOR = `pegbot doctor, then ${RESUME}`;
