import { type EnvironmentValues, environmentSchema } from './environment-schema.ts';
import { readVariables, type VariablesRead } from './read-variables.ts';
import type { Environment } from './settings.ts';

/** Reads the variables of the environment that are ours. */
export function readEnvironment(environment: Environment): VariablesRead<EnvironmentValues> {
  return readVariables(environmentSchema, environment);
}
