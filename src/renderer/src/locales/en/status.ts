/** The bar at the foot of the window. */
export default {
  ready: 'Ready',
}
