// The compiled parts of Boost.Asio and Boost.Beast, once for the whole program:
// BOOST_ASIO_SEPARATE_COMPILATION and BOOST_BEAST_SEPARATE_COMPILATION leave their function bodies out of
// every other source.
#include <boost/asio/impl/src.hpp>
#include <boost/beast/src.hpp>
