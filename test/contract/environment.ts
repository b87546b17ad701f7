// The suite's settings, from the environment and nowhere else.

export const environment = {
  /** Base address that ends in /api/v1/; without it the suite starts the simulator. */
  url: process.env.PEGBOT_CONTRACT_URL,
  /** PEM file of the private key, where there is no portal to register one. */
  key: process.env.PEGBOT_CONTRACT_KEY,
  /** `yes` lets cases move money where there is no portal, and only on a test address. */
  spend: process.env.PEGBOT_CONTRACT_SPEND,
};
